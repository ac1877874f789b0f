package examples.spark;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/** Ranks of pages of a graph whose degrees follow a power law. */
final class PageRank {
  private static final int PARTITIONS = 4;
  private static final int LINKS_PER_PAGE = 5;
  private static final int ITERATIONS = 3;

  /** A rank of 1, in millionths: sums of whole numbers do not depend on their order. */
  private static final long ONE = 1_000_000;

  private PageRank() {}

  static String run(JavaSparkContext spark, int pages) {
    JavaPairRDD<String, Iterable<String>> links =
        spark
            .parallelize(List.of(0, 1, 2, 3), PARTITIONS)
            .flatMapToPair(part -> links(part, pages))
            .distinct()
            .groupByKey()
            .persist(StorageLevel.MEMORY_ONLY_SER());
    JavaPairRDD<String, Long> ranks = links.mapValues(each -> ONE);
    for (int i = 0; i < ITERATIONS; i++) {
      ranks =
          links
              .join(ranks)
              .values()
              .flatMapToPair(linksAndRank -> contributions(linksAndRank._1(), linksAndRank._2()))
              .reduceByKey(Long::sum)
              .mapValues(sum -> (15 * ONE + 85 * sum) / 100);
    }
    long sum = ranks.values().reduce(Long::sum);
    long ranked = ranks.count();
    links.unpersist();
    return ranked + " pages, ranks add up to " + sum + " millionths";
  }

  private static Iterator<Tuple2<String, String>> links(int part, int pages) {
    Random random = new Random(part);
    List<Tuple2<String, String>> links = new ArrayList<>();
    for (int page = part; page < pages; page += PARTITIONS) {
      for (int i = 0; i < LINKS_PER_PAGE; i++) {
        int target = (int) Math.pow(pages, random.nextDouble());
        links.add(new Tuple2<>(url(page), url(target % pages)));
      }
    }
    return links.iterator();
  }

  private static String url(int page) {
    return "http://www.example.org/pages/" + page + ".html";
  }

  private static Iterator<Tuple2<String, Long>> contributions(Iterable<String> targets, long rank) {
    List<String> all = new ArrayList<>();
    targets.forEach(all::add);
    List<Tuple2<String, Long>> contributions = new ArrayList<>(all.size());
    for (String target : all) {
      contributions.add(new Tuple2<>(target, rank / all.size()));
    }
    return contributions.iterator();
  }
}

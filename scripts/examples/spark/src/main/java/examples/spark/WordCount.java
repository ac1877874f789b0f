package examples.spark;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/** Counts words. */
final class WordCount {
  private static final int PARTITIONS = 4;
  private static final int VOCABULARY = 20_000;

  private WordCount() {}

  static String run(JavaSparkContext spark, int words) {
    List<Integer> seeds = List.of(1, 2, 3, 4);
    int each = words / PARTITIONS;
    JavaPairRDD<String, Integer> counts =
        spark
            .parallelize(seeds, PARTITIONS)
            .flatMap(seed -> words(seed, each))
            .mapToPair(word -> new Tuple2<>(word, 1))
            .reduceByKey(Integer::sum);
    long total = counts.values().map(Integer::longValue).reduce(Long::sum);
    List<Tuple2<Integer, String>> top = counts.mapToPair(Tuple2::swap).sortByKey(false).take(3);
    return total + " words, " + counts.count() + " different, most frequent " + top.get(0);
  }

  private static Iterator<String> words(int seed, int count) {
    Random random = new Random(seed);
    List<String> words = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      /* The inverse of the sum of 1/n: a good likeness of Zipf's law. */
      int rank = (int) Math.pow(VOCABULARY, random.nextDouble());
      words.add("word" + rank);
    }
    return words.iterator();
  }
}

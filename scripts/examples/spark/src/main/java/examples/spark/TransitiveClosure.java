package examples.spark;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/** Paths of a graph, lengthened until there are no new ones. */
final class TransitiveClosure {
  private static final int PARTITIONS = 4;

  private TransitiveClosure() {}

  static String run(JavaSparkContext spark, int nodes) {
    Random random = new Random(nodes);
    Set<Tuple2<Integer, Integer>> drawn = new HashSet<>();
    while (drawn.size() < 2 * nodes) {
      int from = random.nextInt(nodes);
      int to = random.nextInt(nodes);
      if (from != to) {
        drawn.add(new Tuple2<>(from, to));
      }
    }
    JavaPairRDD<Integer, Integer> paths =
        spark.parallelizePairs(new ArrayList<>(drawn), PARTITIONS).cache();
    JavaPairRDD<Integer, Integer> backward = paths.mapToPair(Tuple2::swap);
    long before;
    long now = paths.count();
    do {
      before = now;
      paths =
          paths
              .union(
                  paths
                      .join(backward)
                      .mapToPair(joined -> new Tuple2<>(joined._2()._2(), joined._2()._1())))
              .distinct(PARTITIONS)
              .cache();
      now = paths.count();
    } while (now > before);
    List<Tuple2<Integer, Integer>> first = paths.sortByKey().take(1);
    return now + " pairs of " + nodes + " nodes, the first from " + first.get(0)._1();
  }
}

package examples.spark;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/** Lloyd's algorithm on points around known centers. */
final class KMeans {
  private static final int PARTITIONS = 4;
  private static final int DIMENSIONS = 10;
  private static final int CLUSTERS = 5;
  private static final int ITERATIONS = 3;

  private KMeans() {}

  static String run(JavaSparkContext spark, int size) {
    JavaRDD<Point> points =
        spark
            .parallelize(List.of(0, 1, 2, 3), PARTITIONS)
            .flatMap(part -> points(part, size / PARTITIONS))
            .persist(StorageLevel.MEMORY_ONLY_SER());
    List<Point> centers = new ArrayList<>(points.take(CLUSTERS));
    for (int i = 0; i < ITERATIONS; i++) {
      Broadcast<List<Point>> known = spark.broadcast(centers);
      List<Tuple2<Integer, Tuple2<Point, Long>>> sums =
          points
              .mapToPair(
                  point -> new Tuple2<>(nearest(known.value(), point), new Tuple2<>(point, 1L)))
              .reduceByKey((a, b) -> new Tuple2<>(a._1().plus(b._1()), a._2() + b._2()), 2)
              .sortByKey()
              .collect();
      List<Point> moved = new ArrayList<>(centers);
      for (Tuple2<Integer, Tuple2<Point, Long>> each : sums) {
        moved.set(each._1(), each._2()._1().dividedBy(each._2()._2()));
      }
      centers = moved;
    }
    double sum = 0;
    for (Point center : centers) {
      for (double coordinate : center.coordinates()) {
        sum += coordinate;
      }
    }
    points.unpersist();
    return String.format(Locale.ROOT, "%d centers, coordinates add up to %.6f", CLUSTERS, sum);
  }

  private static Iterator<Point> points(int part, int count) {
    Random random = new Random(part);
    List<Point> points = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      double[] coordinates = new double[DIMENSIONS];
      for (int j = 0; j < DIMENSIONS; j++) {
        /* Whole numbers, whose sums do not depend on their order. */
        coordinates[j] = 10_000 * ((i + j) % CLUSTERS) + Math.rint(1_000 * random.nextGaussian());
      }
      points.add(new Point(coordinates));
    }
    return points.iterator();
  }

  private static int nearest(List<Point> centers, Point point) {
    int nearest = 0;
    for (int i = 1; i < centers.size(); i++) {
      if (point.distanceTo(centers.get(i)) < point.distanceTo(centers.get(nearest))) {
        nearest = i;
      }
    }
    return nearest;
  }
}

package io.karmi.spark;

import examples.spark.Job;
import examples.spark.Order;
import examples.spark.Point;
import java.util.EnumMap;
import java.util.Map;

/** How tests run the jobs of the examples. */
final class SparkJobs {
  static final Map<Job, Integer> SIZES =
      new EnumMap<>(
          Map.of(
              Job.WORDCOUNT, 20_000,
              Job.PAGERANK, 1_000,
              Job.KMEANS, 4_000,
              Job.CLOSURE, 8,
              Job.SORT, 10_000));

  /** The classes of their records. */
  static final String CLASSES =
      String.join(",", Order.class.getName(), Order.State.class.getName(), Point.class.getName());

  private SparkJobs() {}
}

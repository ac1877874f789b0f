package io.karmi.engines;

import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** Spark in a JVM with one serializer: {@code Worker CONTESTANT SIZES}. */
public final class Worker {
  private Worker() {}

  /** The program. */
  public static void main(String[] args) throws Exception {
    Contestant contestant = Contestant.valueOf(args[0]);
    SparkConf conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("engines " + contestant.title)
            .set("spark.ui.enabled", "false")
            /* As for the shuffles of large clusters: more partitions than this are sorted. */
            .set("spark.shuffle.sort.bypassMergeThreshold", "16")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1");
    contestant.settings.forEach(conf::set);
    try (Broadcasts broadcasts = new Broadcasts(contestant == Contestant.UKA_EXCHANGE);
        JavaSparkContext spark = new JavaSparkContext(conf)) {
      Workload workload =
          new Workload(spark, TaskCosts.of(spark), Sizes.parse(args[1]), broadcasts);
      Service.serve(workload::run);
    }
  }
}

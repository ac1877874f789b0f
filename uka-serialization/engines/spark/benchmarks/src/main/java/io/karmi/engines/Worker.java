package io.karmi.engines;

import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.measure.Percentiles;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * The program of a JVM with one serializer: {@code Worker CONTESTANT SIZES}. A line names a
 * workload; the answer is a line for each measurement, then {@code done}. It ends with its standard
 * input.
 */
public final class Worker {
  /** The last line of an answer. */
  static final String DONE = "done";

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
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      Workload workload = new Workload(spark, TaskCosts.of(spark), Sizes.parse(args[1]));
      System.out.println(DONE);
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        for (Workload.Measured each : workload.run(line)) {
          System.out.println(measurement(each).toLine());
        }
        System.out.println(DONE);
      }
    }
  }

  private static Measurement measurement(Workload.Measured measured) {
    double nanos = measured.nanos();
    return new Measurement(
        measured.kernel(),
        new Percentiles(nanos, nanos, nanos, nanos),
        Measurement.UNCOUNTED,
        nanos,
        measured.bytes() < 0 ? Measurement.UNCOUNTED : measured.bytes(),
        0,
        measured.observation());
  }
}

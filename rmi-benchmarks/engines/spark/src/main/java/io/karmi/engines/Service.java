package io.karmi.engines;

import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.measure.Percentiles;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The dialogue of a worker with {@link EnginesMain}. A line of the standard input names a workload;
 * the answer is a line for each measurement, then {@code done}. It ends with the standard input.
 */
public final class Service {
  /** The last line of an answer; also the first line of all, once the records are made. */
  static final String DONE = "done";

  private Service() {}

  /** The workloads of a worker. */
  public interface Workloads {
    /** Does one of them. */
    List<Measurement> run(String name) throws Exception;
  }

  /** Answers until the standard input ends. */
  public static void serve(Workloads workloads) throws Exception {
    System.out.println(DONE);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      for (Measurement each : workloads.run(line)) {
        System.out.println(each.toLine());
      }
      System.out.println(DONE);
    }
  }

  /**
   * What was measured.
   *
   * @param kernel what was done
   * @param nanos processor time of the tasks
   * @param bytes that the serializer left in the cache, the shuffle, the broadcast, the state or
   *     the network; negative if they were not counted
   * @param observation the same for each serializer
   */
  public static Measurement measured(String kernel, double nanos, long bytes, String observation) {
    return new Measurement(
        kernel,
        Percentiles.all(nanos),
        Measurement.UNCOUNTED,
        nanos,
        bytes < 0 ? Measurement.UNCOUNTED : bytes,
        0,
        observation);
  }
}

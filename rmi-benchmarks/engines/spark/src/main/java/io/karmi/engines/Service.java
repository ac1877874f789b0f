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
    List<Measured> run(String name) throws Exception;
  }

  /** Answers until the standard input ends. */
  public static void serve(Workloads workloads) throws Exception {
    System.out.println(DONE);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      for (Measured each : workloads.run(line)) {
        System.out.println(measurement(each).toLine());
      }
      System.out.println(DONE);
    }
  }

  private static Measurement measurement(Measured measured) {
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

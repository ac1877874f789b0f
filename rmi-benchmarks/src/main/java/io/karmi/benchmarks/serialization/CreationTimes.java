package io.karmi.benchmarks.serialization;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.results.RunResult;

/**
 * The time that {@code serializeFresh} spends on making its objects, measured by {@code create} in
 * the same run, which is subtracted.
 */
final class CreationTimes {
  private static final String CREATE = "create";
  private static final String SERIALIZE_FRESH = "serializeFresh";

  /** Nanoseconds by payload, stack and variety. */
  private final Map<List<String>, Double> nanos = new HashMap<>();

  private boolean subtracting;

  CreationTimes(Collection<RunResult> runs) {
    for (RunResult run : runs) {
      subtracting |= benchmark(run).equals(SERIALIZE_FRESH);
    }
    for (RunResult run : runs) {
      if (subtracting && benchmark(run).equals(CREATE)) {
        nanos.put(key(run), SerializationTable.nanos(run));
      }
    }
  }

  /** The name of the benchmark's method. */
  static String benchmark(RunResult run) {
    String name = run.getParams().getBenchmark();
    return name.substring(name.lastIndexOf('.') + 1);
  }

  private static List<String> key(RunResult run) {
    return List.of(
        run.getParams().getParam("payload"),
        run.getParams().getParam("stack"),
        run.getParams().getParam("variety"));
  }

  /** Whether the run is one of those that are subtracted, and no result of its own. */
  boolean isSubtrahend(RunResult run) {
    return subtracting && benchmark(run).equals(CREATE);
  }

  /** What is to be subtracted from the run's times, in nanoseconds; 0 for most. */
  double within(RunResult run) {
    return benchmark(run).equals(SERIALIZE_FRESH) ? nanos.getOrDefault(key(run), 0.0) : 0;
  }
}

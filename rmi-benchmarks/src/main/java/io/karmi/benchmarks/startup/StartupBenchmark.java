package io.karmi.benchmarks.startup;

import io.karmi.benchmarks.measure.Child;
import io.karmi.benchmarks.results.Statistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs one program under several sets of JVM options, in turn, and takes the time from the start of
 * the process to its end.
 */
final class StartupBenchmark {
  private static final long DEADLINE_SECONDS = 60;

  private final List<String> program;
  private final Map<String, List<String>> options = new LinkedHashMap<>();

  /**
   * One set of options.
   *
   * @param medianMillis of the rounds
   * @param addedMillis to the first set: the median over the rounds, in each of which both ran one
   *     after the other
   */
  record Row(String title, double medianMillis, double addedMillis) {}

  /** A benchmark of this command line, from the class path on. */
  StartupBenchmark(List<String> program) {
    this.program = program;
  }

  /** Adds a set of options; the first is what the others are compared with. */
  void add(String title, String... jvmOptions) {
    options.put(title, List.of(jvmOptions));
  }

  /**
   * Measures after one round that does not count.
   *
   * @param steps told of each round
   */
  List<Row> run(int rounds, Consumer<String> steps) throws IOException, InterruptedException {
    Map<String, List<Double>> millis = new LinkedHashMap<>();
    String expected = null;
    for (int round = -1; round < rounds; round++) {
      steps.accept("agents");
      for (Map.Entry<String, List<String>> each : options.entrySet()) {
        long start = System.nanoTime();
        String printed = output(each.getValue());
        double took = (System.nanoTime() - start) / 1e6;
        expected = expected == null ? printed : expected;
        if (!printed.equals(expected)) {
          throw new IOException(
              each.getKey() + " printed " + printed.strip() + ", not " + expected.strip());
        }
        if (round >= 0) {
          millis.computeIfAbsent(each.getKey(), title -> new ArrayList<>()).add(took);
        }
      }
    }
    return rows(millis);
  }

  private static List<Row> rows(Map<String, List<Double>> millis) {
    List<Row> rows = new ArrayList<>();
    List<Double> first = millis.values().iterator().next();
    millis.forEach(
        (title, times) -> {
          double[] added = new double[times.size()];
          for (int round = 0; round < added.length; round++) {
            added[round] = times.get(round) - first.get(round);
          }
          double median =
              Statistics.median(times.stream().mapToDouble(Double::doubleValue).toArray());
          rows.add(new Row(title, median, Statistics.median(added)));
        });
    return rows;
  }

  private String output(List<String> jvmOptions) throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(jvmOptions);
    arguments.addAll(program);
    try (Child child = Child.withoutInput(arguments)) {
      return child.end(String.join(" ", arguments), DEADLINE_SECONDS);
    }
  }
}

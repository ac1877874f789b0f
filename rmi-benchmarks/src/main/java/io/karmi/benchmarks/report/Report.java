package io.karmi.benchmarks.report;

import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.stacks.Stack;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * What several rounds gave, one row per kernel and stack.
 *
 * <p>Times are those of a calm round: what an eighth of the rounds took at most. Another program, a
 * hypervisor, a processor that slept between two messages: all of them only add time, some three
 * times that of a whole call, and may strike one stack in more than half of its rounds and another
 * in less; then a median compares the disturbances.
 *
 * @param title what was measured
 * @param machine where it was measured
 * @param rounds how many measurements each time was chosen from
 * @param rows kernel by kernel, in each the stacks in their order
 */
public record Report(String title, String machine, int rounds, List<Row> rows) {
  /** One round in so many is calm, or more. */
  private static final int CALM = 8;

  /**
   * One kernel on one stack, in a calm round.
   *
   * @param medianMicros of the calls of a round
   * @param p99Micros of the calls of a round
   * @param savedPercent of stock RMI's median; negative if slower; 0 for stock itself
   * @param timesFloor how many times the raw socket's median for the same bytes; -1 if no raw
   *     socket was measured
   * @param allocatedBytes per call, client and server together; -1 if unknown
   * @param wireBytes per call, both directions; -1 if unknown
   */
  public record Row(
      String kernel,
      String stack,
      double medianMicros,
      double p99Micros,
      double savedPercent,
      double timesFloor,
      double allocatedBytes,
      double wireBytes) {}

  /**
   * Sums up the rounds in {@code measured}; the first stack is what the others are compared with.
   */
  public static Report of(String title, Map<Stack, List<Measurement>> measured) {
    List<Row> rows = new ArrayList<>();
    int rounds = 0;
    for (String kernel : kernels(measured)) {
      double stockNanos = 0;
      List<Measurement> floor = of(kernel, measured.getOrDefault(Stack.SOCKET, List.of()));
      for (Map.Entry<Stack, List<Measurement>> entry : measured.entrySet()) {
        List<Measurement> of = of(kernel, entry.getValue());
        if (of.isEmpty()) {
          continue;
        }
        rounds = of.size();
        double calm = calm(of, Measurement::medianNanos);
        stockNanos = stockNanos == 0 ? calm : stockNanos;
        rows.add(
            new Row(
                kernel,
                entry.getKey().title(),
                calm / 1000,
                calm(of, Measurement::p99Nanos) / 1000,
                100 * (stockNanos - calm) / stockNanos,
                floor.isEmpty() ? -1 : calm / calm(floor, Measurement::medianNanos),
                counted(of, Measurement::allocatedBytes),
                counted(of, Measurement::wireBytes)));
      }
    }
    return new Report(title, describeMachine(), rounds, rows);
  }

  private static List<Measurement> of(String kernel, List<Measurement> all) {
    return all.stream().filter(m -> m.kernel().equals(kernel)).toList();
  }

  /** The kernels, in the order of the rows. */
  public List<String> kernels() {
    return rows.stream().map(Row::kernel).distinct().toList();
  }

  /** The stacks, in the order of the rows. */
  public List<String> stacks() {
    return rows.stream().map(Row::stack).distinct().toList();
  }

  /** The rows of one kernel. */
  public List<Row> rowsOf(String kernel) {
    return rows.stream().filter(row -> row.kernel().equals(kernel)).toList();
  }

  /**
   * The median, over all kernels, of what {@code stack} saves: the fat dot of the paper's figure 4.
   */
  public double medianSavedPercent(String stack) {
    return median(
        rows.stream().filter(row -> row.stack().equals(stack)).toList(), Row::savedPercent);
  }

  private static Set<String> kernels(Map<Stack, List<Measurement>> measured) {
    Set<String> kernels = new LinkedHashSet<>();
    measured.values().forEach(list -> list.forEach(m -> kernels.add(m.kernel())));
    return kernels;
  }

  /** The lower octile, by nearest rank. */
  private static double calm(List<Measurement> of, ToDoubleFunction<Measurement> value) {
    double[] sorted = of.stream().mapToDouble(value).sorted().toArray();
    return sorted[(sorted.length + CALM - 1) / CALM - 1];
  }

  private static double counted(List<Measurement> of, ToDoubleFunction<Measurement> value) {
    List<Measurement> counted = of.stream().filter(m -> value.applyAsDouble(m) >= 0).toList();
    return counted.isEmpty() ? Measurement.UNCOUNTED : median(counted, value);
  }

  private static <T> double median(List<T> of, ToDoubleFunction<T> value) {
    double[] sorted = of.stream().mapToDouble(value).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1
        ? sorted[middle]
        : DoubleStream.of(sorted[middle - 1], sorted[middle]).average().orElseThrow();
  }

  private static String describeMachine() {
    return "JDK %s (%s), %s %s, %d processors"
        .formatted(
            System.getProperty("java.version"),
            System.getProperty("java.vendor"),
            System.getProperty("os.name"),
            System.getProperty("os.arch"),
            Runtime.getRuntime().availableProcessors());
  }
}

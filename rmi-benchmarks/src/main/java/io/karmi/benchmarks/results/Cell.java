package io.karmi.benchmarks.results;

import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.measure.Percentiles;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What one kernel cost on one stack, in all rounds of all forks.
 *
 * <p>The time that is compared is that of a calm round: what an eighth of the rounds took at most.
 * Another program, a hypervisor, a processor that slept between two messages: all of them only add
 * time, some three times that of a whole call, and may strike one stack in more than half of its
 * rounds and another in less; then a median compares the disturbances. The spread shows them. What
 * is counted is that of the round with the least.
 *
 * @param rounds nanoseconds per call
 * @param allocatedBytes per call, client and servers together; negative if unknown
 * @param cpuNanos processor time per call, client and servers together; negative if unknown
 * @param sentBytes per call, by the client; negative if unknown
 * @param receivedBytes per call, by the client; negative if unknown
 * @param observation what the program saw: equal on every stack
 */
public record Cell(
    String kernel,
    String stack,
    List<Percentiles> rounds,
    double allocatedBytes,
    double cpuNanos,
    double sentBytes,
    double receivedBytes,
    String observation) {
  /** One round of eight is calm, or more. */
  private static final double CALM = 1 / 8.0;

  private static final double MICRO = 1000;

  static Cell of(String stack, Measurement first) {
    return new Cell(
        first.kernel(),
        stack,
        List.of(first.times()),
        first.allocatedBytes(),
        first.cpuNanos(),
        first.sentBytes(),
        first.receivedBytes(),
        first.observation());
  }

  Cell with(Measurement next) {
    List<Percentiles> all = new ArrayList<>(rounds);
    all.add(next.times());
    return new Cell(
        kernel,
        stack,
        List.copyOf(all),
        least(allocatedBytes, next.allocatedBytes()),
        least(cpuNanos, next.cpuNanos()),
        least(sentBytes, next.sentBytes()),
        least(receivedBytes, next.receivedBytes()),
        observation);
  }

  private static double least(double before, double next) {
    return before < 0 || next < 0 ? Math.max(before, next) : Math.min(before, next);
  }

  /** Microseconds of the median call in a calm round. */
  public double calmMicros() {
    return calm(Percentiles::median);
  }

  /** The 99th percentile of a calm round, in microseconds. */
  public double calmP99Micros() {
    return calm(Percentiles::p99);
  }

  /** A percentile in a calm round, in microseconds. */
  public double calm(ToDoubleFunction<Percentiles> percentile) {
    return Statistics.rank(values(percentile), CALM);
  }

  /** The medians of the rounds, in microseconds. */
  public double[] medianMicros() {
    return values(Percentiles::median);
  }

  /**
   * Half of the distance between the quartiles of the rounds' medians, in percent of their median.
   */
  public double spreadPercent() {
    return spread(Percentiles::median);
  }

  /** The same of the rounds' 99th percentiles. */
  public double p99SpreadPercent() {
    return spread(Percentiles::p99);
  }

  private double spread(ToDoubleFunction<Percentiles> percentile) {
    double[] values = values(percentile);
    double middle = Statistics.quantile(values, 0.5);
    double quartiles = Statistics.quantile(values, 0.75) - Statistics.quantile(values, 0.25);
    return 100 * quartiles / 2 / middle;
  }

  /** Bytes on the wire per call, both directions; negative if unknown. */
  public double wireBytes() {
    return sentBytes < 0 ? Measurement.UNCOUNTED : sentBytes + receivedBytes;
  }

  private double[] values(ToDoubleFunction<Percentiles> percentile) {
    return rounds.stream().mapToDouble(percentile).map(nanos -> nanos / MICRO).toArray();
  }
}

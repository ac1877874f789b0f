package io.karmi.benchmarks.measure;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** How long the calls of one round took, in nanoseconds per call; by nearest rank. */
public record Percentiles(double median, double p90, double p99, double p999) {
  /**
   * Of these samples.
   *
   * @param nanos is sorted here
   * @param callsPerRun how many calls each sample holds
   */
  public static Percentiles of(long[] nanos, int callsPerRun) {
    Arrays.sort(nanos);
    return new Percentiles(
        rank(nanos, 0.5) / callsPerRun,
        rank(nanos, 0.9) / callsPerRun,
        rank(nanos, 0.99) / callsPerRun,
        rank(nanos, 0.999) / callsPerRun);
  }

  /** Of calls that took the same time each, as far as it is known. */
  public static Percentiles all(double nanos) {
    return new Percentiles(nanos, nanos, nanos, nanos);
  }

  /** Four words, for {@link #parse}. */
  public String toWords() {
    return median + " " + p90 + " " + p99 + " " + p999;
  }

  /** Reads four words of {@link #toWords} from an index on. */
  public static Percentiles parse(String[] words, int from) {
    return new Percentiles(
        Double.parseDouble(words[from]),
        Double.parseDouble(words[from + 1]),
        Double.parseDouble(words[from + 2]),
        Double.parseDouble(words[from + 3]));
  }

  /** Of several clients that called at once: their middle median, and the worst of their tails. */
  public static Percentiles together(List<Percentiles> clients) {
    double[] medians = clients.stream().mapToDouble(Percentiles::median).sorted().toArray();
    return new Percentiles(
        medians[medians.length / 2],
        most(clients, Percentiles::p90),
        most(clients, Percentiles::p99),
        most(clients, Percentiles::p999));
  }

  private static double most(List<Percentiles> clients, ToDoubleFunction<Percentiles> value) {
    return clients.stream().mapToDouble(value).max().orElseThrow();
  }

  /** The value below which this part of the sorted values lies. */
  public static double rank(long[] sorted, double part) {
    int rank = (int) Math.ceil(part * sorted.length);
    return sorted[Math.max(1, rank) - 1];
  }
}

package io.karmi.engines;

import io.karmi.benchmarks.results.Cell;
import io.karmi.benchmarks.results.Results;
import io.karmi.benchmarks.results.Statistics;
import io.karmi.benchmarks.results.Statistics.Ratio;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A limit that was set before it was measured.
 *
 * @param kernel of the results
 * @param bytes whether bytes are compared, or processor time
 * @param ours the contestant that is to keep the limit
 * @param theirs the one that it is compared with
 * @param limit upper bound of the ratio
 */
record Target(String kernel, boolean bytes, Contestant ours, Contestant theirs, double limit) {
  private static final String MEDIA = "media cache";
  private static final String PAGERANK = "PAGERANK: whole process";

  private static final List<Target> OF_JOBS =
      List.of(
          time(MEDIA, Contestant.UKA, Contestant.KRYO_REGISTERED, 0.7),
          time(MEDIA, Contestant.UKA, Contestant.JAVA, 0.5),
          size(MEDIA, Contestant.UKA, Contestant.KRYO, 0.7),
          size(MEDIA, Contestant.UKA, Contestant.KRYO_REGISTERED, 1.1),
          time("shuffle to 8: write", Contestant.UKA, Contestant.KRYO, 0.7),
          time("shuffle to 8: read", Contestant.UKA, Contestant.KRYO, 0.7),
          time("shuffle to 32: write", Contestant.UKA_CLASSES, Contestant.KRYO, 0.7),
          time("shuffle to 32: read", Contestant.UKA_CLASSES, Contestant.KRYO, 0.7),
          time("sorting shuffle to 32: write", Contestant.UKA_CLASSES, Contestant.KRYO, 0.7),
          time("sorting shuffle to 32: read", Contestant.UKA_CLASSES, Contestant.KRYO, 0.7),
          time(PAGERANK, Contestant.UKA, Contestant.KRYO, 1.0),
          time(PAGERANK, Contestant.UKA, Contestant.JAVA, 0.9));

  static final List<Target> ALL =
      Stream.concat(
              OF_JOBS.stream(),
              ScalaKind.kernels().map(each -> time(each, Contestant.UKA, Contestant.KRYO, 0.8)))
          .toList();

  private static Target time(String kernel, Contestant ours, Contestant theirs, double limit) {
    return new Target(kernel, false, ours, theirs, limit);
  }

  private static Target size(String kernel, Contestant ours, Contestant theirs, double limit) {
    return new Target(kernel, true, ours, theirs, limit);
  }

  /** The ratio of the medians; empty if one of the two was not measured. */
  Optional<Ratio> ratio(Results results) {
    Optional<Cell> mine = results.cell(kernel, ours.title);
    Optional<Cell> other = results.cell(kernel, theirs.title);
    if (mine.isEmpty() || other.isEmpty()) {
      return Optional.empty();
    }
    if (bytes) {
      double ratio = mine.get().wireBytes() / other.get().wireBytes();
      return Optional.of(new Ratio(ratio, ratio, ratio));
    }
    return Optional.of(Statistics.ratio(other.get().medianMicros(), mine.get().medianMicros()));
  }

  /** A line of the table; the ratio in it has the bounds of its 95 % confidence. */
  String line(Ratio ratio) {
    String verdict = ratio.value() <= limit ? "kept" : "missed";
    return String.format(
        Locale.ROOT,
        "%-30s %-5s %-12s / %-10s %6.2f [%.2f, %.2f]   at most %.1f: %s",
        kernel,
        bytes ? "bytes" : "time",
        ours.title,
        theirs.title,
        ratio.value(),
        ratio.low(),
        ratio.high(),
        limit,
        verdict);
  }
}

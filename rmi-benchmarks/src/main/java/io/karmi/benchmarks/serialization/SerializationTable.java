package io.karmi.benchmarks.serialization;

import static io.karmi.benchmarks.serialization.SerializationStack.FORY;
import static io.karmi.benchmarks.serialization.SerializationStack.JDK;
import static io.karmi.benchmarks.serialization.SerializationStack.UKA;
import static io.karmi.benchmarks.serialization.SerializationStack.UKA_COPY;
import static io.karmi.benchmarks.serialization.SerializationStack.UKA_JDK_FORMAT;
import static io.karmi.benchmarks.serialization.SerializationStack.UKA_WOVEN;

import io.karmi.benchmarks.results.Statistics;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * Results as one table per benchmark: a row per payload, a column per stack, then what we are
 * compared with.
 *
 * <p>A time is {@linkplain ProcessorTime processor time}: the median of the forks, and of each fork
 * the lower quartile of its iterations.
 */
final class SerializationTable {
  /** Nanoseconds and allocated bytes per operation. */
  private record Cell(double nanos, double allocatedBytes) {}

  /** What a program gains whose streams are replaced, and go on writing the JDK's format. */
  private static final String OF_JDK = "JDK / UKA_JDK_FORMAT";

  private final Map<String, Map<SerializationPayload, Map<SerializationStack, Cell>>> tables =
      new TreeMap<>();

  private final Set<SerializationStack> stacks = EnumSet.noneOf(SerializationStack.class);
  private final Set<SerializationPayload> payloads = EnumSet.noneOf(SerializationPayload.class);

  SerializationTable(Collection<RunResult> results) {
    CreationTimes creation = new CreationTimes(results);
    for (RunResult result : results) {
      if (creation.isSubtrahend(result)) {
        continue;
      }
      String label = CreationTimes.benchmark(result);
      Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
      SerializationPayload payload =
          SerializationPayload.valueOf(result.getParams().getParam("payload"));
      SerializationStack stack = SerializationStack.valueOf(result.getParams().getParam("stack"));
      payloads.add(payload);
      stacks.add(stack);
      tables
          .computeIfAbsent(
              label + ", variety " + result.getParams().getParam("variety"),
              key -> new EnumMap<>(SerializationPayload.class))
          .computeIfAbsent(payload, key -> new EnumMap<>(SerializationStack.class))
          .put(
              stack,
              new Cell(
                  Math.max(0, nanos(result) - creation.within(result)),
                  allocated == null ? Double.NaN : allocated.getScore()));
    }
  }

  /** Processor time of one operation. */
  static double nanos(RunResult result) {
    double[] forks =
        result.getBenchmarkResults().stream()
            .mapToDouble(
                fork ->
                    quantile(
                        0.25,
                        fork.getIterationResults().stream()
                            .mapToDouble(SerializationTable::processorNanos)))
            .toArray();
    return quantile(0.5, Arrays.stream(forks));
  }

  private static double processorNanos(IterationResult iteration) {
    return iteration.getSecondaryResults().get(ProcessorTime.LABEL).getScore();
  }

  private static double quantile(double part, DoubleStream values) {
    double[] sorted = values.sorted().toArray();
    return sorted[(int) (part * (sorted.length - 1))];
  }

  boolean isEmpty() {
    return tables.isEmpty();
  }

  void print(PrintStream out) {
    tables.forEach(
        (title, rows) -> {
          out.println();
          out.println(title + ": ns per object (bytes allocated)");
          header(out);
          rows.forEach((payload, cells) -> row(out, payload, cells));
          ratios(out, rows);
          List<Double> ofJdk = ratios(out, rows, OF_JDK, JDK, UKA_JDK_FORMAT);
          mean(out, OF_JDK, ofJdk);
          ratios(out, rows, "woven / copy", UKA_WOVEN, UKA_COPY);
        });
    out.println();
    out.println("bytes on the wire");
    header(out);
    for (SerializationPayload payload : payloads) {
      line(
          out,
          payload.toString(),
          stack -> {
            int bytes = wireBytes(stack, payload);
            return bytes < 0 ? "-" : String.valueOf(bytes);
          });
    }
    out.println();
    out.println("how each is set up");
    for (SerializationStack stack : stacks) {
      out.printf("%-20s%s%n", stack, stack.description());
    }
  }

  private void header(PrintStream out) {
    line(out, "", SerializationStack::toString);
  }

  private void row(
      PrintStream out, SerializationPayload payload, Map<SerializationStack, Cell> cells) {
    line(
        out,
        payload.toString(),
        stack -> {
          Cell cell = cells.get(stack);
          return cell == null
              ? "-"
              : String.format(Locale.ROOT, "%.0f (%.0f)", cell.nanos, cell.allocatedBytes);
        });
  }

  /** A line with a cell for each stack. */
  private void line(PrintStream out, String title, Function<SerializationStack, String> cell) {
    out.printf("%-20s", title);
    stacks.forEach(stack -> out.printf("%20s", cell.apply(stack)));
    out.println();
  }

  private static void ratios(
      PrintStream out, Map<SerializationPayload, Map<SerializationStack, Cell>> rows) {
    List<Double> ratios = new ArrayList<>();
    rows.forEach(
        (payload, cells) -> {
          Cell ours = cells.get(UKA);
          double best = fastestPeer(cells);
          if (ours != null && best != Double.POSITIVE_INFINITY) {
            double fory = ratio(cells, FORY, UKA);
            String text = "%-20s fastest peer / UKA = %.2f";
            text += Double.isNaN(fory) ? "%n" : ", Fory as it comes / UKA = %.2f%n";
            out.printf(Locale.ROOT, text, payload, best / ours.nanos, fory);
            ratios.add(fory);
          }
        });
    mean(out, "Fory as it comes / UKA", ratios);
  }

  /** Prints a line for each payload that both stacks have carried; returns the ratios. */
  private static List<Double> ratios(
      PrintStream out,
      Map<SerializationPayload, Map<SerializationStack, Cell>> rows,
      String title,
      SerializationStack above,
      SerializationStack below) {
    List<Double> ratios = new ArrayList<>();
    rows.forEach(
        (payload, cells) -> {
          double ratio = ratio(cells, above, below);
          if (!Double.isNaN(ratio)) {
            out.printf(Locale.ROOT, "%-20s %s = %.2f%n", payload, title, ratio);
            ratios.add(ratio);
          }
        });
    return ratios;
  }

  /** The ratio of the times of two stacks; not a number where one has none. */
  private static double ratio(
      Map<SerializationStack, Cell> cells, SerializationStack above, SerializationStack below) {
    Cell first = cells.get(above);
    Cell second = cells.get(below);
    return first == null || second == null ? Double.NaN : first.nanos / second.nanos;
  }

  private static void mean(PrintStream out, String title, List<Double> ratios) {
    double[] known =
        ratios.stream().mapToDouble(ratio -> ratio).filter(ratio -> !Double.isNaN(ratio)).toArray();
    if (known.length > 0) {
      out.printf(
          Locale.ROOT,
          "geometric mean of %s over %d payloads: %.2f%n",
          title,
          known.length,
          Statistics.geometricMean(known));
    }
  }

  private static double fastestPeer(Map<SerializationStack, Cell> cells) {
    double best = Double.POSITIVE_INFINITY;
    for (Map.Entry<SerializationStack, Cell> cell : cells.entrySet()) {
      if (!cell.getKey().isOurs()) {
        best = Math.min(best, cell.getValue().nanos);
      }
    }
    return best;
  }

  /** How long the second message is; -1 where it cannot be written, or not in this JVM. */
  static int wireBytes(SerializationStack stack, SerializationPayload payload) {
    try {
      Codec codec = stack.open();
      if (codec.unsupported().contains(payload)) {
        return -1;
      }
      Specimen specimen = codec.specimen(payload);
      codec.roundTrip(specimen.create());
      return codec.serialize(specimen.create());
    } catch (Exception | LinkageError e) {
      return -1;
    }
  }
}

package io.karmi.benchmarks.serialization;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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
          ratiosToJdk(out, rows);
          wovenRatios(out, rows);
        });
    out.println();
    out.println("bytes on the wire");
    header(out);
    for (SerializationPayload payload : payloads) {
      sizes(out, payload);
    }
    out.println();
    out.println("how each is set up");
    for (SerializationStack stack : stacks) {
      out.printf("%-20s%s%n", stack, stack.description());
    }
  }

  private void header(PrintStream out) {
    out.printf("%-20s", "");
    for (SerializationStack stack : stacks) {
      out.printf("%20s", stack);
    }
    out.println();
  }

  private void row(
      PrintStream out, SerializationPayload payload, Map<SerializationStack, Cell> cells) {
    out.printf("%-20s", payload);
    for (SerializationStack stack : stacks) {
      Cell cell = cells.get(stack);
      out.printf(
          "%20s",
          cell == null
              ? "-"
              : String.format(Locale.ROOT, "%.0f (%.0f)", cell.nanos, cell.allocatedBytes));
    }
    out.println();
  }

  private static void ratios(
      PrintStream out, Map<SerializationPayload, Map<SerializationStack, Cell>> rows) {
    double logarithms = 0;
    int compared = 0;
    for (Map.Entry<SerializationPayload, Map<SerializationStack, Cell>> row : rows.entrySet()) {
      Cell ours = row.getValue().get(SerializationStack.UKA);
      Cell fory = row.getValue().get(SerializationStack.FORY);
      double best = fastestPeer(row.getValue());
      if (ours == null || best == Double.POSITIVE_INFINITY) {
        continue;
      }
      out.printf(Locale.ROOT, "%-20s fastest peer / UKA = %.2f", row.getKey(), best / ours.nanos);
      if (fory != null) {
        out.printf(Locale.ROOT, ", Fory as it comes / UKA = %.2f", fory.nanos / ours.nanos);
        logarithms += Math.log(fory.nanos / ours.nanos);
        compared++;
      }
      out.println();
    }
    if (compared > 0) {
      out.printf(
          Locale.ROOT,
          "geometric mean of Fory as it comes / UKA over %d payloads: %.2f%n",
          compared,
          Math.exp(logarithms / compared));
    }
  }

  /** What a program gains whose streams are replaced, and go on writing the JDK's format. */
  private static void ratiosToJdk(
      PrintStream out, Map<SerializationPayload, Map<SerializationStack, Cell>> rows) {
    double logarithms = 0;
    int compared = 0;
    for (Map.Entry<SerializationPayload, Map<SerializationStack, Cell>> row : rows.entrySet()) {
      Cell ours = row.getValue().get(SerializationStack.UKA_JDK_FORMAT);
      Cell jdk = row.getValue().get(SerializationStack.JDK);
      if (ours != null && jdk != null) {
        double ratio = jdk.nanos / ours.nanos;
        out.printf(Locale.ROOT, "%-20s JDK / UKA_JDK_FORMAT = %.2f%n", row.getKey(), ratio);
        logarithms += Math.log(ratio);
        compared++;
      }
    }
    if (compared > 0) {
      out.printf(
          Locale.ROOT,
          "geometric mean of JDK / UKA_JDK_FORMAT over %d payloads: %.2f%n",
          compared,
          Math.exp(logarithms / compared));
    }
  }

  private static void wovenRatios(
      PrintStream out, Map<SerializationPayload, Map<SerializationStack, Cell>> rows) {
    rows.forEach(
        (payload, cells) -> {
          Cell copy = cells.get(SerializationStack.UKA_COPY);
          Cell woven = cells.get(SerializationStack.UKA_WOVEN);
          if (copy != null && woven != null) {
            out.printf(
                Locale.ROOT, "%-20s woven / copy = %.2f%n", payload, woven.nanos / copy.nanos);
          }
        });
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

  private void sizes(PrintStream out, SerializationPayload payload) {
    out.printf("%-20s", payload);
    for (SerializationStack stack : stacks) {
      out.printf("%20s", size(stack, payload));
    }
    out.println();
  }

  private static String size(SerializationStack stack, SerializationPayload payload) {
    int bytes = wireBytes(stack, payload);
    return bytes < 0 ? "-" : String.valueOf(bytes);
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

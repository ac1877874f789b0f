package io.karmi.benchmarks.serialization;

import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.measure.Percentiles;
import io.karmi.benchmarks.results.Cell;
import io.karmi.benchmarks.results.Conditions;
import io.karmi.benchmarks.results.Machine;
import io.karmi.benchmarks.results.Results;
import io.karmi.benchmarks.results.Statistics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * JMH's results in the form that the table, the report and the comparison read: a kernel per
 * payload and direction, a stack per serializer, a round per iteration. The JDK's streams are what
 * the others are compared with.
 *
 * <p>Times are {@linkplain ProcessorTime processor time}; an iteration has one, and no percentiles.
 * The time that {@code serializeFresh} spends on making its objects, measured by {@code create} in
 * the same run, is subtracted.
 */
final class SerializationResults {
  private static final String CREATE = "create";
  private static final String SERIALIZE_FRESH = "serializeFresh";
  private static final String OURS = name(SerializationStack.UKA);
  private static final Comparator<RunResult> BY_KERNEL =
      Comparator.comparing((RunResult run) -> run.getParams().getBenchmark())
          .thenComparing(run -> run.getParams().getParam("variety"))
          .thenComparing(SerializationResults::payload);

  private SerializationResults() {}

  static Results of(Collection<RunResult> runs, int forks) {
    boolean subtracts = runs.stream().anyMatch(run -> benchmark(run).equals(SERIALIZE_FRESH));
    Map<List<String>, Double> creationNanos = new HashMap<>();
    Set<SerializationStack> stacks = EnumSet.noneOf(SerializationStack.class);
    List<RunResult> measured = new ArrayList<>();
    for (RunResult run : runs) {
      if (subtracts && benchmark(run).equals(CREATE)) {
        creationNanos.put(key(run), Statistics.quantile(nanos(run).toArray(), 0.25));
      } else {
        measured.add(run);
        stacks.add(stack(run));
      }
    }
    List<Cell> cells =
        measured.stream()
            .sorted(BY_KERNEL)
            .map(run -> cell(run, creationNanos.getOrDefault(key(run), 0.0)))
            .toList();
    return new Results(
        Results.FORMAT,
        conditions(measured, forks),
        rows(stacks),
        cells,
        List.of(),
        true,
        List.of());
  }

  /** The geometric means of the other stacks' times over UKA's, a line each. */
  static String ratios(Results results) {
    StringBuilder lines = new StringBuilder();
    List<String> benchmarks =
        results.kernels().stream().map(SerializationResults::benchmark).distinct().toList();
    for (String benchmark : benchmarks) {
      for (Results.StackRow other : results.stacks()) {
        double[] ratios =
            results.kernels().stream()
                .filter(kernel -> benchmark(kernel).equals(benchmark))
                .flatMapToDouble(kernel -> ratio(results, kernel, other.name()))
                .toArray();
        if (ratios.length > 0 && !other.name().equals(OURS)) {
          lines.append(
              String.format(
                  Locale.ROOT,
                  "%s: geometric mean of %s / UKA over %d payloads: %.2f%n",
                  benchmark,
                  other.title(),
                  ratios.length,
                  Statistics.geometricMean(ratios)));
        }
      }
    }
    return lines.toString();
  }

  private static DoubleStream ratio(Results results, String kernel, String other) {
    Optional<Cell> ours = results.cell(kernel, OURS);
    Optional<Cell> theirs = results.cell(kernel, other);
    return ours.isPresent() && theirs.isPresent()
        ? DoubleStream.of(theirs.get().calmMicros() / ours.get().calmMicros())
        : DoubleStream.empty();
  }

  private static Cell cell(RunResult run, double creationNanos) {
    List<Percentiles> rounds =
        nanos(run)
            .map(nanos -> benchmark(run).equals(SERIALIZE_FRESH) ? nanos - creationNanos : nanos)
            .map(nanos -> Math.max(0, nanos))
            .mapToObj(Percentiles::all)
            .toList();
    Result<?> allocated = run.getSecondaryResults().get("gc.alloc.rate.norm");
    String variety = run.getParams().getParam("variety");
    boolean isUsual = variety.equals(SerializationBenchmark.Variety.ONE.name());
    return new Cell(
        benchmark(run) + "(" + payload(run) + (isUsual ? "" : ", " + variety) + ")",
        name(stack(run)),
        rounds,
        allocated == null ? Measurement.UNCOUNTED : allocated.getScore(),
        rounds.stream().mapToDouble(Percentiles::median).average().orElse(Measurement.UNCOUNTED),
        wireBytes(stack(run), payload(run)),
        0,
        "");
  }

  /** How long the second message is; unknown where it cannot be written. */
  private static double wireBytes(SerializationStack stack, SerializationPayload payload) {
    try {
      Codec codec = stack.open();
      codec.roundTrip(payload.create());
      return codec.serialize(payload.create());
    } catch (Exception | LinkageError e) {
      return Measurement.UNCOUNTED;
    }
  }

  /** Processor time of one operation, of each iteration of each fork. */
  private static DoubleStream nanos(RunResult run) {
    return run.getBenchmarkResults().stream()
        .flatMap(fork -> fork.getIterationResults().stream())
        .mapToDouble(SerializationResults::nanos);
  }

  private static double nanos(IterationResult iteration) {
    return Objects.requireNonNull(iteration.getSecondaryResults().get(ProcessorTime.LABEL))
        .getScore();
  }

  private static SerializationStack stack(RunResult run) {
    return SerializationStack.valueOf(run.getParams().getParam("stack"));
  }

  private static SerializationPayload payload(RunResult run) {
    return SerializationPayload.valueOf(run.getParams().getParam("payload"));
  }

  /** The name of the benchmark's method. */
  private static String benchmark(RunResult run) {
    return run.getParams().getBenchmark().replaceFirst(".*\\.", "");
  }

  private static String benchmark(String kernel) {
    return kernel.substring(0, kernel.indexOf('('));
  }

  private static List<String> key(RunResult run) {
    return List.of(
        run.getParams().getParam("payload"),
        run.getParams().getParam("stack"),
        run.getParams().getParam("variety"));
  }

  /** The JDK's streams first, where they were measured. */
  private static List<Results.StackRow> rows(Set<SerializationStack> stacks) {
    return stacks.stream()
        .sorted(Comparator.comparing(stack -> stack != SerializationStack.JDK))
        .map(
            stack ->
                new Results.StackRow(name(stack), stack.toString(), stack.description(), false))
        .toList();
  }

  private static String name(SerializationStack stack) {
    return stack.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static Conditions conditions(List<RunResult> runs, int forks) {
    if (runs.isEmpty()) {
      return Machine.conditions(Results.SERIALIZATION, forks, 0, 0, 0);
    }
    var warmUp = runs.get(0).getParams().getWarmup();
    var measurement = runs.get(0).getParams().getMeasurement();
    return Machine.conditions(
        Results.SERIALIZATION,
        forks,
        measurement.getCount(),
        warmUp.getTime().convertTo(TimeUnit.MILLISECONDS) * warmUp.getCount(),
        measurement.getTime().convertTo(TimeUnit.MILLISECONDS));
  }
}

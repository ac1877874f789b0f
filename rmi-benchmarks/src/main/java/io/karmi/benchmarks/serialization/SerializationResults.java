package io.karmi.benchmarks.serialization;

import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.measure.Percentiles;
import io.karmi.benchmarks.results.Cell;
import io.karmi.benchmarks.results.Conditions;
import io.karmi.benchmarks.results.Machine;
import io.karmi.benchmarks.results.Results;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.IterationType;

/**
 * JMH's results in the form that the report and the comparison read: a kernel per payload and
 * direction, a stack per serializer, a round per iteration. The JDK's streams are what the others
 * are compared with.
 *
 * <p>Times are {@linkplain ProcessorTime processor time}; an iteration has one, and no percentiles.
 */
final class SerializationResults {
  private static final Comparator<RunResult> BY_KERNEL =
      Comparator.comparing((RunResult run) -> run.getParams().getBenchmark())
          .thenComparing(run -> run.getParams().getParam("variety"))
          .thenComparing(run -> SerializationPayload.valueOf(run.getParams().getParam("payload")));

  private SerializationResults() {}

  static Results of(Collection<RunResult> runs, int forks) {
    CreationTimes creation = new CreationTimes(runs);
    Set<SerializationStack> stacks = EnumSet.noneOf(SerializationStack.class);
    List<Cell> cells = new ArrayList<>();
    for (RunResult run : runs.stream().sorted(BY_KERNEL).toList()) {
      if (creation.isSubtrahend(run)) {
        continue;
      }
      SerializationStack stack = SerializationStack.valueOf(run.getParams().getParam("stack"));
      stacks.add(stack);
      cells.add(cell(run, stack, creation.within(run)));
    }
    return new Results(
        Results.FORMAT, conditions(runs, forks), rows(stacks), cells, List.of(), true);
  }

  private static Cell cell(RunResult run, SerializationStack stack, double creationNanos) {
    List<Percentiles> rounds =
        run.getBenchmarkResults().stream()
            .flatMap(fork -> fork.getIterationResults().stream())
            .map(iteration -> Math.max(0, nanos(iteration) - creationNanos))
            .map(nanos -> new Percentiles(nanos, nanos, nanos, nanos))
            .toList();
    Result<?> allocated = run.getSecondaryResults().get("gc.alloc.rate.norm");
    SerializationPayload payload =
        SerializationPayload.valueOf(run.getParams().getParam("payload"));
    int bytes = SerializationTable.wireBytes(stack, payload);
    return new Cell(
        kernel(run, payload),
        name(stack),
        rounds,
        allocated == null ? Measurement.UNCOUNTED : allocated.getScore(),
        rounds.stream().mapToDouble(Percentiles::median).average().orElse(Measurement.UNCOUNTED),
        bytes,
        0,
        "");
  }

  private static double nanos(IterationResult iteration) {
    return Objects.requireNonNull(iteration.getSecondaryResults().get(ProcessorTime.LABEL))
        .getScore();
  }

  private static String kernel(RunResult run, SerializationPayload payload) {
    String variety = run.getParams().getParam("variety");
    return CreationTimes.benchmark(run)
        + "("
        + payload
        + (variety.equals(SerializationBenchmark.Variety.ONE.name()) ? "" : ", " + variety)
        + ")";
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

  private static Conditions conditions(Collection<RunResult> runs, int forks) {
    @Nullable RunResult any = runs.stream().findFirst().orElse(null);
    return Machine.conditions(
        Results.SERIALIZATION,
        forks,
        any == null ? 0 : any.getParams().getMeasurement().getCount(),
        any == null ? 0 : millis(any, IterationType.WARMUP),
        any == null ? 0 : millis(any, IterationType.MEASUREMENT));
  }

  private static long millis(RunResult run, IterationType type) {
    var params =
        type == IterationType.WARMUP
            ? run.getParams().getWarmup()
            : run.getParams().getMeasurement();
    long each = params.getTime().convertTo(java.util.concurrent.TimeUnit.MILLISECONDS);
    return type == IterationType.WARMUP ? each * params.getCount() : each;
  }
}

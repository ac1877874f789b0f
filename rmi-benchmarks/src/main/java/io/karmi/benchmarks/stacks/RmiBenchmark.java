package io.karmi.benchmarks.stacks;

import io.karmi.benchmarks.measure.Measurement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs kernels on several stacks, interleaved, so that a machine that slows down for a while slows
 * down all of them.
 *
 * <p>A result that is not what stock RMI gave ends it: the speed of a wrong answer is not shown.
 */
public final class RmiBenchmark {
  /**
   * What to run.
   *
   * @param stacks in the order of the table
   * @param kernels names that {@link io.karmi.benchmarks.kernels.KernelClient} knows
   * @param rounds how often each stack runs
   * @param warmUpMillis per kernel
   * @param measureMillis per kernel
   * @param budgetSeconds no round is begun that would probably not end within these
   */
  public record Plan(
      List<Stack> stacks,
      List<String> kernels,
      int rounds,
      long warmUpMillis,
      long measureMillis,
      long budgetSeconds) {
    /** The kernels that {@code stack} can run. */
    List<String> kernelsOf(Stack stack) {
      return kernels.stream().filter(stack::runs).toList();
    }
  }

  private final Plan plan;
  private final TwoJvms jvms;
  private final Consumer<String> progress;

  /**
   * @param progress told what is running, one line each
   */
  public RmiBenchmark(Plan plan, TwoJvms jvms, Consumer<String> progress) {
    this.plan = plan;
    this.jvms = jvms;
    this.progress = progress;
  }

  /**
   * Runs the plan.
   *
   * @return for each stack the measurements of all rounds, one after the other
   * @throws TwoJvms.RunFailedException if a run fails, or its results differ from stock RMI's
   */
  public Map<Stack, List<Measurement>> run() throws IOException, InterruptedException {
    Map<Stack, List<Measurement>> results = new EnumMap<>(Stack.class);
    int runs = plan.rounds() * plan.stacks().size();
    int run = 0;
    long start = System.nanoTime();
    for (int round = 0; round < plan.rounds() && fits(round, System.nanoTime() - start); round++) {
      for (Stack stack : plan.stacks()) {
        progress.accept("run " + ++run + " of " + runs + ": " + stack.title());
        List<Measurement> measured = jvms.run(stack, clientArguments(stack, results));
        requireComplete(stack, measured);
        requireSameResults(stack, measured, results);
        results.computeIfAbsent(stack, s -> new ArrayList<>()).addAll(measured);
      }
    }
    return results;
  }

  private boolean fits(int roundsDone, long nanos) {
    long nanosAfterNext = roundsDone == 0 ? 0 : nanos + nanos / roundsDone;
    return nanosAfterNext <= TimeUnit.SECONDS.toNanos(plan.budgetSeconds());
  }

  /** What the client's program is told, after the port. */
  private List<String> clientArguments(Stack stack, Map<Stack, List<Measurement>> results) {
    List<String> arguments = new ArrayList<>();
    arguments.add(Long.toString(plan.warmUpMillis()));
    arguments.add(Long.toString(plan.measureMillis()));
    for (String kernel : plan.kernelsOf(stack)) {
      arguments.add(stack.needsByteCounts() ? kernel + "=" + wireBytes(kernel, results) : kernel);
    }
    return arguments;
  }

  /** What KaRMI sends for this kernel, or stock RMI if KaRMI is not measured. */
  private static long wireBytes(String kernel, Map<Stack, List<Measurement>> results) {
    List<Measurement> measured =
        results.getOrDefault(Stack.KARMI_UKA, results.getOrDefault(Stack.RMI, List.of()));
    return measured.stream()
        .filter(m -> m.kernel().equals(kernel))
        .mapToLong(m -> Math.round(m.wireBytes()))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("a raw socket needs another stack to compare with"));
  }

  private void requireComplete(Stack stack, List<Measurement> measured)
      throws TwoJvms.RunFailedException {
    List<String> names = measured.stream().map(Measurement::kernel).toList();
    if (!names.equals(plan.kernelsOf(stack))) {
      throw new TwoJvms.RunFailedException(
          stack.title() + " measured " + names + " instead of " + plan.kernelsOf(stack));
    }
  }

  private static void requireSameResults(
      Stack stack, List<Measurement> measured, Map<Stack, List<Measurement>> results)
      throws TwoJvms.RunFailedException {
    if (stack.needsByteCounts()) {
      return;
    }
    for (Map.Entry<Stack, List<Measurement>> other : results.entrySet()) {
      for (Measurement m : measured) {
        requireSame(stack, m, other.getKey(), other.getValue());
      }
    }
  }

  private static void requireSame(
      Stack stack, Measurement m, Stack reference, List<Measurement> expected)
      throws TwoJvms.RunFailedException {
    for (Measurement e : expected) {
      boolean comparable = e.kernel().equals(m.kernel()) && !reference.needsByteCounts();
      if (comparable && !e.observation().equals(m.observation())) {
        throw new TwoJvms.RunFailedException(
            "%s: %s gives another result than %s: %s, not %s"
                .formatted(
                    stack.title(),
                    m.kernel(),
                    reference.title(),
                    m.observation(),
                    e.observation()));
      }
    }
  }
}

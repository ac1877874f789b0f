package io.karmi.benchmarks.stacks;

import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.measure.Task;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Measures kernels on several stacks, whose JVMs all live at the same time: in each round, kernel
 * by kernel, one stack after the other, and in the next one the other way round. Rounds are short
 * and many, so that a machine that is slow for some seconds is slow for all stacks, and the calmest
 * rounds do not see it; {@link AwakeProcessors} keep the machine's sleep out of it.
 *
 * <p>A result that is not what stock RMI gave ends it: the speed of a wrong answer is not shown.
 */
public final class RmiBenchmark {
  /**
   * What to run.
   *
   * @param stacks in the order of the table
   * @param kernels names that {@link io.karmi.benchmarks.kernels.KernelClient} knows
   * @param rounds how often each kernel is measured on each stack
   * @param warmUpMillis per kernel and stack, before the first round
   * @param measureMillis per kernel, stack and round
   * @param budgetSeconds no round is begun that would probably not end within these
   */
  public record Plan(
      List<Stack> stacks,
      List<String> kernels,
      int rounds,
      long warmUpMillis,
      long measureMillis,
      long budgetSeconds) {
    /**
     * The first round warms up and counts; a later one only lets the caches forget the stack
     * before.
     */
    Task task(int round) {
      return round == 0
          ? new Task("", warmUpMillis, measureMillis, true)
          : new Task("", measureMillis / 5, measureMillis, false);
    }
  }

  private static final int ROUNDS_REPORTED = 10;

  private final Plan plan;
  private final TwoJvms.Place place;
  private final Consumer<String> progress;
  private final Map<Stack, TwoJvms> jvms = new EnumMap<>(Stack.class);
  private final Map<Stack, List<Measurement>> results = new EnumMap<>(Stack.class);

  /**
   * @param progress told what is running, one line each
   */
  public RmiBenchmark(Plan plan, TwoJvms.Place place, Consumer<String> progress) {
    this.plan = plan;
    this.place = place;
    this.progress = progress;
  }

  /**
   * Runs the plan, once.
   *
   * @return for each stack the measurements of all rounds, one after the other
   * @throws TwoJvms.RunFailedException if a run fails, or its results differ from stock RMI's
   */
  public Map<Stack, List<Measurement>> run() throws IOException, InterruptedException {
    long start = System.nanoTime();
    AwakeProcessors awake = AwakeProcessors.start(place.programs(), progress);
    try {
      for (Stack stack : plan.stacks()) {
        progress.accept("starting " + stack.title());
        jvms.put(stack, TwoJvms.start(stack, place));
      }
      long nextNanos = 0;
      List<Stack> order = new ArrayList<>(plan.stacks());
      List<String> kernels = new ArrayList<>(plan.kernels());
      for (int round = 0; round < plan.rounds() && fits(start, nextNanos); round++) {
        report(round, start);
        long before = System.nanoTime();
        measure(plan.task(round), kernels, order);
        /* Who comes after whom must not matter: many threads leave the next kernel's apart. */
        Collections.reverse(order);
        Collections.reverse(kernels);
        nextNanos =
            (System.nanoTime() - before)
                * plan.task(round + 1).millis()
                / plan.task(round).millis();
      }
      for (TwoJvms pair : jvms.values()) {
        pair.end();
      }
    } finally {
      jvms.values().forEach(TwoJvms::close);
      awake.close();
    }
    return results;
  }

  private boolean fits(long start, long nextNanos) {
    long nanosAfterNext = nextNanos == 0 ? 0 : System.nanoTime() - start + nextNanos;
    return nanosAfterNext <= TimeUnit.SECONDS.toNanos(plan.budgetSeconds());
  }

  /** The first rounds one by one; of many, now and then one. */
  private void report(int round, long start) {
    if (round < ROUNDS_REPORTED || round % ROUNDS_REPORTED == 0) {
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
      progress.accept(
          "round %d of at most %d, after %d s".formatted(round + 1, plan.rounds(), seconds));
    }
  }

  /** One round. */
  private void measure(Task task, List<String> kernels, List<Stack> order) throws IOException {
    for (String kernel : kernels) {
      for (Stack stack : order) {
        if (stack.runs(kernel)) {
          Measurement measured =
              Objects.requireNonNull(jvms.get(stack))
                  .measure(task.withKernel(nameFor(stack, kernel)));
          if (!measured.kernel().equals(kernel)) {
            throw new TwoJvms.RunFailedException(
                stack.title() + " measured " + measured.kernel() + " instead of " + kernel);
          }
          requireSameResult(stack, measured);
          results.computeIfAbsent(stack, s -> new ArrayList<>()).add(measured);
        }
      }
    }
  }

  private String nameFor(Stack stack, String kernel) {
    return stack.needsByteCounts() ? kernel + "=" + wireBytes(kernel) : kernel;
  }

  /** What KaRMI sends there and back for this kernel, or stock RMI if KaRMI is not measured. */
  private String wireBytes(String kernel) {
    return results
        .getOrDefault(Stack.KARMI_UKA, results.getOrDefault(Stack.RMI, List.of()))
        .stream()
        .filter(m -> m.kernel().equals(kernel) && m.sentBytes() >= 0)
        .map(m -> Math.round(m.sentBytes()) + "/" + Math.round(m.receivedBytes()))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("a raw socket needs another stack to compare with"));
  }

  private void requireSameResult(Stack stack, Measurement measured)
      throws TwoJvms.RunFailedException {
    if (stack.needsByteCounts()) {
      return;
    }
    for (Map.Entry<Stack, List<Measurement>> other : results.entrySet()) {
      if (!other.getKey().needsByteCounts()) {
        for (Measurement expected : other.getValue()) {
          requireSame(stack, measured, other.getKey(), expected);
        }
      }
    }
  }

  private static void requireSame(
      Stack stack, Measurement measured, Stack reference, Measurement expected)
      throws TwoJvms.RunFailedException {
    if (expected.kernel().equals(measured.kernel())
        && !expected.observation().equals(measured.observation())) {
      throw new TwoJvms.RunFailedException(
          "%s: %s gives another result than %s: %s, not %s"
              .formatted(
                  stack.title(),
                  measured.kernel(),
                  reference.title(),
                  measured.observation(),
                  expected.observation()));
    }
  }
}

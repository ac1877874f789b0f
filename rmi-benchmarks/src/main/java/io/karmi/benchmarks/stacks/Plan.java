package io.karmi.benchmarks.stacks;

import io.karmi.benchmarks.measure.Task;
import java.util.List;

/**
 * What to run.
 *
 * @param stacks in the order of the table
 * @param kernels in the order of the table
 * @param forks how often the JVMs are started for each kernel
 * @param rounds how often each kernel is measured on each stack, in each fork
 * @param warmUpMillis per kernel, stack and fork, before the first round; more until it is stable
 * @param measureMillis per kernel, stack and round
 * @param budgetSeconds no round is begun that would probably not end within these
 */
public record Plan(
    List<Stack> stacks,
    List<KernelName> kernels,
    int forks,
    int rounds,
    long warmUpMillis,
    long measureMillis,
    long budgetSeconds) {
  private static final int MOST_PLANNED = 100;

  /**
   * The first round of a fork warms up and counts; a later one only lets the caches forget the
   * stack before.
   */
  Task task(int round, KernelName kernel) {
    return round == 0
        ? new Task(kernel.text(), warmUpMillis, measureMillis, true)
        : new Task(kernel.text(), measureMillis / 5, measureMillis, false);
  }

  /** Of the whole run, probably. */
  public long plannedMillis() {
    return Unit.of(this).stream().mapToLong(unit -> unit.plannedMillis(this)).sum();
  }

  /**
   * Of one kernel on one stack in one pass of a fork, probably.
   *
   * @param passes among which the fork's rounds are divided
   */
  long millisPerCell(int passes) {
    int most = (Math.min(rounds, MOST_PLANNED) + passes - 1) / passes;
    return 150 + warmUpMillis * 3 / 2 + measureMillis * 6 / 5 * most;
  }
}

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
 * @param settleMillis per stack, before each {@link #BLOCK} of kernels that it is measured with
 * @param measureMillis per kernel, stack and round
 * @param budgetSeconds no round is begun that would probably not end within these
 */
public record Plan(
    List<Stack> stacks,
    List<KernelName> kernels,
    int forks,
    int rounds,
    long warmUpMillis,
    long settleMillis,
    long measureMillis,
    long budgetSeconds) {
  /** Number of kernels in a stack's turn. */
  static final int BLOCK = 12;

  private static final int MAXIMUM_PLANNED = 100;

  /** The same for other stacks. */
  public Plan withStacks(List<Stack> others) {
    return new Plan(
        others, kernels, forks, rounds, warmUpMillis, settleMillis, measureMillis, budgetSeconds);
  }

  /** What comes before the first round of a fork: its times do not count, its counters do. */
  Task warmUp(KernelName kernel) {
    return new Task(kernel.text(), warmUpMillis, 0, true);
  }

  /**
   * A kernel in a round. The first of a block finds the stack's threads idle, and the system needs
   * some time until each runs on a processor of its own.
   */
  Task task(KernelName kernel, boolean isFirst) {
    long before = measureMillis / 5 + (isFirst ? settleMillis : 0);
    return new Task(kernel.text(), before, measureMillis, false);
  }

  /** Of the whole run, probably. */
  public long plannedMillis() {
    return Unit.of(this).stream().mapToLong(unit -> unit.plannedMillis(this)).sum();
  }

  /** Of one kernel on one stack, before the first round, probably. */
  long warmUpMillisPerCell() {
    return 150 + warmUpMillis * 3 / 2;
  }

  /** Of one kernel on one stack in one round, probably. */
  long roundMillisPerCell() {
    return settleMillis / BLOCK + measureMillis * 6 / 5;
  }

  /**
   * Of a pass of a fork, as many as are taken into a plan.
   *
   * @param passes among which the fork's rounds are divided
   */
  int plannedRounds(int passes) {
    return (Math.min(rounds, MAXIMUM_PLANNED) + passes - 1) / passes;
  }
}

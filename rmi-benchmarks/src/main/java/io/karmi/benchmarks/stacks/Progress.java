package io.karmi.benchmarks.stacks;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Progress of a run, and the time left in proportion to the plan. Not thread-safe. */
final class Progress {
  private static final int ROUNDS_REPORTED = 10;

  /**
   * The plan counts as if this part of it had taken as long as planned: what the first rounds took
   * says little of the others.
   */
  private static final double BELIEVED = 0.2;

  private final Plan plan;
  private final Consumer<String> lines;
  private final long start = System.nanoTime();
  private final long allMillis;
  private long doneMillis;
  private Unit unit;
  private int number;
  private final int units;
  private long unitEnd;

  /**
   * @param lines told what is running
   */
  Progress(Plan plan, List<Unit> open, Consumer<String> lines) {
    this.plan = plan;
    this.lines = lines;
    this.units = open.size();
    this.unit = open.get(0);
    this.allMillis = open.stream().mapToLong(each -> each.plannedMillis(plan)).sum();
  }

  /** A unit begins: it may take its part of the budget that is left. */
  void begin(Unit next) {
    unit = next;
    number++;
    long now = System.nanoTime();
    long left = start + TimeUnit.SECONDS.toNanos(plan.budgetSeconds()) - now;
    double part = next.plannedMillis(plan) / (double) (allMillis - doneMillis);
    unitEnd = now + (long) (left * part);
    lines.accept("part %d of %d, %s; %s".formatted(number, units, next.id(), left(0)));
  }

  void end() {
    doneMillis += unit.plannedMillis(plan);
  }

  /**
   * Whether a round of this many nanoseconds fits into the unit's budget; the first always does.
   */
  boolean fits(long nanos) {
    return nanos == 0 || System.nanoTime() + nanos - unitEnd <= 0;
  }

  /** The first rounds one by one; of many, now and then one. */
  void round(int round, int most) {
    if (round < ROUNDS_REPORTED || round % ROUNDS_REPORTED == 0) {
      long done = unit.plannedMillis(plan) * round / most;
      lines.accept("  round %d of at most %d; %s".formatted(round + 1, most, left(done)));
    }
  }

  /**
   * @param begunMillis what is done of the unit
   */
  private String left(long begunMillis) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
    long done = doneMillis + begunMillis;
    double plannedSeconds = (allMillis - done) / 1000.0;
    double believed = allMillis * BELIEVED / 1000.0;
    double perPlanned = (seconds + believed) / (done / 1000.0 + believed);
    long left = Math.min(Math.round(plannedSeconds * perPlanned), plan.budgetSeconds() - seconds);
    return "%d s so far, about %d:%02d min left"
        .formatted(seconds, Math.max(0, left) / 60, Math.max(0, left) % 60);
  }
}

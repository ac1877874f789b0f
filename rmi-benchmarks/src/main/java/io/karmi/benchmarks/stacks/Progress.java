package io.karmi.benchmarks.stacks;

import io.karmi.benchmarks.measure.Pace;
import io.karmi.benchmarks.measure.Remaining;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Progress of a run, and the time left: what is planned of starts and of rounds, each at the pace
 * of the last ones. Not thread-safe.
 */
final class Progress {
  private static final int ROUNDS_REPORTED = 10;

  private final Plan plan;
  private final List<Unit> open;
  private final Consumer<String> lines;
  private final LongSupplier clock;
  private final long start;

  /** Of starts with their warm-up, by what is planned. */
  private final Pace starts = new Pace();

  /** Of rounds, by what is planned. */
  private final Pace rounds = new Pace();

  private final Remaining remaining = new Remaining();

  private long openMillis;

  /** Begun units, with the one that runs. */
  private int begun;

  private long unitStart;
  private long unitEnd;
  private long roundStart;

  /** Rounds of the unit that are done; negative until its first round begins. */
  private int roundsDone;

  /**
   * @param open what is to run; not empty
   * @param lines told what is running
   */
  Progress(Plan plan, List<Unit> open, Consumer<String> lines) {
    this(plan, open, lines, System::nanoTime);
  }

  Progress(Plan plan, List<Unit> open, Consumer<String> lines, LongSupplier clock) {
    this.plan = plan;
    this.open = open;
    this.lines = lines;
    this.clock = clock;
    start = clock.getAsLong();
    openMillis = open.stream().mapToLong(each -> each.plannedMillis(plan)).sum();
  }

  /** The next unit begins: it may take its part of the budget that is left. */
  void begin() {
    Unit unit = open.get(begun++);
    roundsDone = -1;
    unitStart = clock.getAsLong();
    long planned = unit.plannedMillis(plan);
    unitEnd = unitStart + (long) (budgetNanos() * (planned / (double) openMillis));
    openMillis -= planned;
    lines.accept("part %d of %d, %s; %s".formatted(begun, open.size(), unit.id(), left()));
  }

  /** Whether a round of the unit may begin: the first may, others if they end in its budget. */
  boolean fits() {
    long now = clock.getAsLong();
    return roundsDone < 1 || now + (now - roundStart) - unitEnd <= 0;
  }

  /** A round begins; the first ones are told one by one, of many one now and then. */
  void round(int round, int most) {
    roundStart = clock.getAsLong();
    if (roundsDone < 0) {
      starts.add(unit().startMillis(plan), roundStart - unitStart);
    }
    roundsDone = Math.max(0, roundsDone);
    if (round < ROUNDS_REPORTED || round % ROUNDS_REPORTED == 0) {
      lines.accept("  round %d of at most %d; %s".formatted(round + 1, most, left(most - round)));
    }
  }

  /** The round has ended. */
  void roundEnded() {
    roundsDone++;
    rounds.add(unit().roundMillis(plan), clock.getAsLong() - roundStart);
  }

  private Unit unit() {
    return open.get(begun - 1);
  }

  /** The unit that has just begun is left as a whole. */
  private String left() {
    return left(starts.nanos(unit().startMillis(plan), rounds), unit().rounds(plan), 1);
  }

  /** So many rounds of the unit that runs are left. */
  private String left(int roundsLeft) {
    return left(0, roundsLeft, roundsDone == 0 ? 1 : 0);
  }

  /**
   * @param least rounds of the unit that runs, also where the budget is used up
   */
  private String left(long startNanos, int roundsLeft, int least) {
    long all = startNanos + rounds.nanos(unit().roundMillis(plan) * roundsLeft, starts);
    long must = startNanos + rounds.nanos(unit().roundMillis(plan) * least, starts);
    for (Unit each : open.subList(begun, open.size())) {
      long before = starts.nanos(each.startMillis(plan), rounds);
      all += before + rounds.nanos(each.roundMillis(plan) * each.rounds(plan), starts);
      must += before + rounds.nanos(each.roundMillis(plan), starts);
    }
    long left = Math.min(all, Math.max(budgetNanos(), must));
    return Pace.minutes(clock.getAsLong() - start) + " so far, " + remaining.text(left);
  }

  private long budgetNanos() {
    return start + TimeUnit.SECONDS.toNanos(plan.budgetSeconds()) - clock.getAsLong();
  }
}

package io.karmi.benchmarks.measure;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * How long work of one kind takes, by the last steps of it: a machine that was busy before says
 * nothing of what is left. Not thread-safe.
 */
public final class Pace {
  private static final int STEPS = 10;

  /** Work that was done, in units of the caller's, and the nanoseconds that it took. */
  private record Step(long work, long nanos) {}

  private final Deque<Step> last = new ArrayDeque<>();

  /** A step is done. */
  public void add(long work, long nanos) {
    if (last.size() == STEPS) {
      last.remove();
    }
    last.add(new Step(work, nanos));
  }

  /** Of this work; 0 before the first step. */
  public long nanos(long work) {
    long done = last.stream().mapToLong(Step::work).sum();
    long took = last.stream().mapToLong(Step::nanos).sum();
    return done == 0 ? 0 : (long) (work * (took / (double) done));
  }

  /**
   * Of work that is planned in milliseconds: before the first step at the pace of another kind, and
   * before that one's as planned.
   */
  public long nanos(long plannedMillis, Pace other) {
    Pace known = last.isEmpty() ? other : this;
    return known.last.isEmpty()
        ? TimeUnit.MILLISECONDS.toNanos(plannedMillis)
        : known.nanos(plannedMillis);
  }

  /** Rounded, and 0 if it is over. */
  static long seconds(long nanos) {
    return TimeUnit.NANOSECONDS.toSeconds(Math.max(0, nanos) + 500_000_000);
  }

  /** A time as progress has it, such as {@code 2:19 min}. */
  public static String minutes(long nanos) {
    long seconds = seconds(nanos);
    return String.format(Locale.ROOT, "%d:%02d min", seconds / 60, seconds % 60);
  }
}

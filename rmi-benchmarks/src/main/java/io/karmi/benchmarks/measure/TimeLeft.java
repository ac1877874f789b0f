package io.karmi.benchmarks.measure;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Progress of a command that takes some steps of about the same length: lines that say which one
 * runs, and the time that is left if the others take as long as the last ones. Not thread-safe.
 */
public final class TimeLeft {
  private static final long BETWEEN_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final PrintStream err;
  private final String command;
  private final int steps;
  private final LongSupplier clock;
  private final Pace pace = new Pace();
  private final Remaining remaining = new Remaining();
  private long before;
  private long printed;
  private int begun;

  /**
   * Progress that begins now.
   *
   * @param command in front of each line
   */
  public TimeLeft(PrintStream err, String command, int steps) {
    this(err, command, steps, System::nanoTime);
  }

  TimeLeft(PrintStream err, String command, int steps, LongSupplier clock) {
    this.err = err;
    this.command = command;
    this.steps = steps;
    this.clock = clock;
    before = clock.getAsLong();
    printed = before - BETWEEN_NANOS;
  }

  /** A step begins, and the one before it has ended; of short steps not each has a line. */
  public void next(String what) {
    long now = clock.getAsLong();
    int done = begun++;
    if (done > 0) {
      pace.add(1, now - before);
    }
    before = now;
    if (now - printed < BETWEEN_NANOS) {
      return;
    }
    printed = now;
    String left = done == 0 ? "" : "; " + remaining.text(pace.nanos(steps - done));
    err.printf(Locale.ROOT, "%s: %d of %d, %s%s%n", command, begun, steps, what, left);
  }
}

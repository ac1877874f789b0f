package io.karmi.retrofit.jar;

import io.karmi.cli.OneLine;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Progress bar of one line on a terminal, with the seconds that are left if the other classes take
 * as long as those before; nothing is shown without a terminal.
 */
public final class Progress {
  private static final long QUIET_NANOS = 500_000_000L;
  private static final long BETWEEN_NANOS = 100_000_000L;
  private static final int WIDTH = 79;

  /** Before, the first classes say too little of the others. */
  private static final int MINIMUM_PERCENT = 5;

  private final @Nullable PrintStream terminal;
  private final int total;
  private final LongSupplier clock;
  private final long start;
  private long nextNanos;
  private boolean shown;

  /**
   * Progress towards a number of classes.
   *
   * @param terminal null to show nothing
   */
  public Progress(@Nullable PrintStream terminal, int total) {
    this(terminal, total, System::nanoTime);
  }

  Progress(@Nullable PrintStream terminal, int total, LongSupplier clock) {
    this.terminal = terminal;
    this.total = total;
    this.clock = clock;
    start = clock.getAsLong();
    nextNanos = start + QUIET_NANOS;
  }

  void step(String what, int done) {
    if (terminal == null) {
      return;
    }
    long now = clock.getAsLong();
    if (now - nextNanos < 0) {
      return;
    }
    nextNanos = now + BETWEEN_NANOS;
    int percent = (int) Math.min(100, 100L * done / Math.max(1, total));
    StringBuilder bar = new StringBuilder("[");
    for (int i = 0; i < 20; i++) {
      bar.append(i * 5 < percent ? '#' : '.');
    }
    bar.append("] ").append(percent).append("% ");
    if (percent >= MINIMUM_PERCENT) {
      long left = (now - start) / done * Math.max(0, total - done);
      bar.append("about ").append(TimeUnit.NANOSECONDS.toSeconds(left)).append(" s left ");
    }
    bar.append(OneLine.printable(what));
    clear();
    terminal.print(bar.substring(0, Math.min(WIDTH, bar.length())));
    terminal.flush();
    shown = true;
  }

  /** Removes the line from the terminal. */
  public void clear() {
    if (terminal != null && shown) {
      terminal.print("\r" + " ".repeat(WIDTH) + "\r");
      terminal.flush();
      shown = false;
    }
  }
}

package io.karmi.retrofit.jar;

import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/** Progress bar of one line on a terminal; nothing is shown without a terminal. */
public final class Progress {
  private static final long QUIET_NANOS = 500_000_000L;
  private static final long BETWEEN_NANOS = 100_000_000L;
  private static final int WIDTH = 79;

  private final @Nullable PrintStream terminal;
  private final int total;
  private long nextNanos = System.nanoTime() + QUIET_NANOS;
  private boolean shown;

  /**
   * Progress towards a number of classes.
   *
   * @param terminal null to show nothing
   */
  public Progress(@Nullable PrintStream terminal, int total) {
    this.terminal = terminal;
    this.total = total;
  }

  void step(String what, int done) {
    if (terminal == null || System.nanoTime() - nextNanos < 0) {
      return;
    }
    nextNanos = System.nanoTime() + BETWEEN_NANOS;
    int percent = (int) Math.min(100, 100L * done / Math.max(1, total));
    StringBuilder bar = new StringBuilder("[");
    for (int i = 0; i < 20; i++) {
      bar.append(i * 5 < percent ? '#' : '.');
    }
    bar.append("] ").append(percent).append("% ").append(what);
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

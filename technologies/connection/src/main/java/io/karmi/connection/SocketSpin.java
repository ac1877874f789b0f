package io.karmi.connection;

import io.karmi.ring.SpinLimit;
import java.io.IOException;

/**
 * Spinning of a thread that waits for bytes of a socket, before it sleeps in the kernel: for {@code
 * karmi.spinMicros}, by default not at all.
 *
 * <p>Between two looks the thread lets others run. The kernel often wakes the two ends of a call at
 * one processor, and an end that kept it would keep the other one from answering (decision 0018).
 * {@link SpinLimit} leaves processors to the program's other threads.
 *
 * <p>One object belongs to one connection, and is used by the thread that receives.
 */
public final class SocketSpin {
  /**
   * Binary logarithm of the most waits without spinning after it was in vain: a thread that lets
   * others run on a busy machine may come back after milliseconds.
   */
  private static final int MOST_RESTRAINT = 10;

  private final SpinLimit limit;
  private final Look look;

  /** A look for bytes that does not wait. */
  @FunctionalInterface
  public interface Look {
    /** Whether there are some, or the connection has ended. */
    boolean finds() throws IOException;
  }

  /**
   * Makes the spin of one connection.
   *
   * @param nanos time to look at most; 0 not to look at all
   */
  public SocketSpin(long nanos, Look look) {
    limit = new SpinLimit(nanos, MOST_RESTRAINT);
    this.look = look;
  }

  /**
   * Looks for bytes as long as that may pay; false if the caller is to sleep.
   *
   * @param timeoutMillis upper bound of the time; 0 for none
   */
  public boolean finds(int timeoutMillis) throws IOException {
    long nanos = limit.begin();
    if (nanos == 0) {
      return false;
    }
    return look(timeoutMillis == 0 ? nanos : Math.min(nanos, timeoutMillis * 1_000_000L));
  }

  private boolean look(long nanos) throws IOException {
    boolean inTime = false;
    try {
      long end = System.nanoTime() + nanos;
      boolean found = look.finds();
      inTime = found;
      while (!found && System.nanoTime() - end < 0) {
        Thread.yield();
        found = look.finds();
        inTime = found && System.nanoTime() - end < 0; // else sleeping would have been as good
      }
      return found;
    } finally {
      limit.end(inTime);
    }
  }
}

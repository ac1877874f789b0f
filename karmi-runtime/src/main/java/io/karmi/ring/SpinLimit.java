package io.karmi.ring;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limit of the time for which a thread spins before it waits in the kernel.
 *
 * <p>Spinning pays where the other side runs on another processor and answers within the time that
 * a wake-up takes. It costs where it keeps the other side from running. So no more threads of this
 * process spin at a time than there are processors to spare, and a place where spinning has not
 * helped for a while tries it seldom.
 *
 * <p>One object belongs to one place that waits, such as a connection; it is used by one thread at
 * a time. The count of threads that spin is the whole process's.
 */
public final class SpinLimit {
  /** Number of threads of this process that may spin at a time: one processor stays free. */
  private static final int SPINNERS = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);

  private static final AtomicInteger SPINNING = new AtomicInteger();

  /** After spinning in vain, at most this many waits go by without a try: 2 to this power. */
  private static final int MAXIMUM_RESTRAINT = 6;

  /** Number of looks between two readings of the clock. */
  private static final int LOOKS_PER_READING = 32;

  private final long nanos;

  /**
   * Number of times that spinning was in vain since it last helped, up to {@link
   * #MAXIMUM_RESTRAINT}.
   */
  private int failures;

  /** Number of waits without spinning before the next try. */
  private int skips;

  /**
   * A limit of a place that waits.
   *
   * @param nanos the longest time to spin; 0 never to spin
   */
  public SpinLimit(long nanos) {
    this.nanos = nanos;
  }

  /** What a thread looks for while it spins. */
  public interface Look {
    /** Looks once whether it has come. */
    boolean came() throws IOException;

    /** Whether there is something else to do than to spin; asked now and then. */
    default boolean isInVain() {
      return false;
    }
  }

  /**
   * Looks as long as that may pay.
   *
   * @param mostNanos the longest time, in nanoseconds
   * @return whether it has come; false, too, if the caller is to wait in the kernel at once
   */
  public boolean spin(Look look, long mostNanos) throws IOException {
    if (!begin()) {
      return false;
    }
    boolean came = false;
    try {
      long end = System.nanoTime() + Math.min(nanos, mostNanos);
      do {
        for (int i = 0; i < LOOKS_PER_READING && !came; i++) {
          Thread.onSpinWait();
          came = look.came();
        }
      } while (!came && System.nanoTime() - end < 0 && !look.isInVain());
      return came;
    } finally {
      end(came);
    }
  }

  private boolean begin() {
    if (nanos == 0) {
      return false;
    }
    if (skips > 0) {
      skips--;
      return false;
    }
    if (SPINNING.incrementAndGet() > SPINNERS) {
      SPINNING.decrementAndGet();
      return false;
    }
    return true;
  }

  private void end(boolean came) {
    SPINNING.decrementAndGet();
    if (came) {
      failures = 0;
    } else {
      failures = Math.min(failures + 1, MAXIMUM_RESTRAINT);
      skips = (1 << failures) - 1;
    }
  }
}

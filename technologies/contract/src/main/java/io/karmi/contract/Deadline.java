package io.karmi.contract;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for conditions, and fails where they do not come true in time. */
public final class Deadline {
  private static final long SECONDS = 60;

  private Deadline() {}

  /** Waits until something holds; fails after a minute, and says what does not hold. */
  public static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("not within " + SECONDS + " s: " + what);
      }
      Thread.sleep(5);
    }
  }
}

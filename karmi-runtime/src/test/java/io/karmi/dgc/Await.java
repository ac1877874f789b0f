package io.karmi.dgc;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for what other threads, and the garbage collector, bring about. */
public final class Await {
  private static final int DEADLINE_SECONDS = 20;

  private Await() {}

  /** Collects garbage until a condition is true; fails after 20 s. */
  public static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("not within " + DEADLINE_SECONDS + " s: " + what);
      }
      System.gc();
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }
}

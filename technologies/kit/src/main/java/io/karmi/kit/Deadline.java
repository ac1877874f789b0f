package io.karmi.kit;

import java.util.concurrent.TimeUnit;

/** Waits for conditions, and fails where they do not come true in time. */
public final class Deadline {
  private static final long SECONDS = 120;
  private static final long PAUSE_MILLIS = 5;

  private Deadline() {}

  /** What is waited for. It is asked again and again, by the thread that waits. */
  @FunctionalInterface
  public interface Condition {
    /** Whether it is true now. What it throws ends the wait. */
    boolean holds() throws Exception;
  }

  /** Waits until something holds; fails after two minutes, and says what does not hold. */
  public static void await(String what, Condition condition) throws InterruptedException {
    await(what, condition, () -> {});
  }

  /** As {@link #await(String, Condition)}, and collects garbage before each further look. */
  public static void awaitCollecting(String what, Condition condition) throws InterruptedException {
    await(what, condition, System::gc);
  }

  private static void await(String what, Condition condition, Runnable between)
      throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (!holds(what, condition)) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("not within " + SECONDS + " s: " + what);
      }
      between.run();
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
  }

  private static boolean holds(String what, Condition condition) throws InterruptedException {
    try {
      return condition.holds();
    } catch (InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError("failed to ask whether " + what, e);
    }
  }
}

package io.karmi.kit;

import java.util.concurrent.TimeUnit;

/** Waits for conditions, and fails where they do not come true in time. */
public final class Deadline {
  private static final long SECONDS = 120;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** A look that takes long, as with a collection of garbage, is not taken again at once. */
  private static final int PAUSE_PER_LOOK = 4;

  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

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
    long begin = System.nanoTime();
    long end = begin + TimeUnit.SECONDS.toNanos(SECONDS);
    while (!holds(what, condition)) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("not within " + SECONDS + " s: " + what);
      }
      between.run();
      long pause = PAUSE_PER_LOOK * (System.nanoTime() - begin);
      TimeUnit.NANOSECONDS.sleep(Math.max(PAUSE_NANOS, Math.min(pause, LONGEST_PAUSE_NANOS)));
      begin = System.nanoTime();
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

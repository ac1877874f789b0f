package io.karmi.guard;

/**
 * Timer for a peer that is waited for and from which nothing comes: its process is stopped or gone.
 *
 * <p>Only time counts in which this process ran. Belongs to the thread that looks now and then.
 */
public final class Silence {
  /**
   * Silence in nanoseconds that one look can add. If looks are farther apart this process was not
   * running, and has not read what came meanwhile.
   */
  private static final long MAXIMUM_PER_LOOK_NANOS = 1_000_000_000L;

  private long lookedAtNanos = System.nanoTime();
  private long seen;
  private long silentNanos;

  /**
   * Looks once.
   *
   * @param waits whether this end waits for the other one
   * @param progress another number whenever something has come
   * @return for how long nothing has come, in nanoseconds
   */
  public long look(long now, boolean waits, long progress) {
    long sinceLast = Math.min(now - lookedAtNanos, MAXIMUM_PER_LOOK_NANOS);
    lookedAtNanos = now;
    if (!waits || progress != seen) {
      seen = progress;
      silentNanos = 0;
    } else {
      silentNanos += sinceLast;
    }
    return silentNanos;
  }
}

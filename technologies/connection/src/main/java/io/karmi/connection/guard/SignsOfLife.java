package io.karmi.connection.guard;

import io.karmi.guard.Silence;

/**
 * Timer of the {@link Watchdog} for the signs of life that the ends of a connection give each other
 * while a call waits.
 *
 * <p>An end that executes a call for long sends a frame now and then; the end that waits counts how
 * long it has read nothing. A call itself costs nothing more: both are found by counters that the
 * connection's thread keeps anyway. A call that takes less than a third of the time that is asked
 * for brings no sign.
 */
public final class SignsOfLife {
  /** Number of signs in the time after which the other end gives up. */
  private static final int SIGNS = 3;

  private final Reading in;
  private final Writing out;

  /** Silence in nanoseconds after which a waiting call is given up; 0 for never. */
  private final long patienceNanos;

  /** Nanoseconds between two signs; 0 if none are wanted. */
  private final long pauseNanos;

  private final Silence silence = new Silence();

  private int seenWrites;
  private long seenServed;
  private long quietSinceNanos = System.nanoTime();

  /**
   * Made with its connection.
   *
   * @param patienceMillis silence after which a waiting call is given up; 0 for never
   * @param wantedMillis silence after which the other end gives up; 0 for never
   */
  public SignsOfLife(Reading in, Writing out, int patienceMillis, int wantedMillis) {
    this.in = in;
    this.out = out;
    this.patienceNanos = patienceMillis * 1_000_000L;
    this.pauseNanos = wantedMillis * 1_000_000L / SIGNS;
  }

  /**
   * Looks once whether the other end has been silent for too long.
   *
   * @param waits whether a call of this end is under way
   */
  public boolean isSilentTooLong(long now, boolean waits) {
    int reads = in.progress();
    long silentNanos = silence.look(now, waits && (reads & 1) != 0, reads);
    return patienceNanos > 0 && silentNanos > patienceNanos && in.progress() == reads;
  }

  /**
   * Looks once whether a sign has to be given.
   *
   * @param served number of calls that have come over the connection
   * @param soon whether this end wants to know soon if the other one is gone
   */
  public boolean isDue(long now, long served, boolean soon) {
    int writes = out.progress();
    if (writes != seenWrites || served != seenServed || !out.isExecuting()) {
      seenWrites = writes;
      seenServed = served;
      quietSinceNanos = now;
      return false;
    }
    return pauseNanos > 0 && (soon || now - quietSinceNanos >= pauseNanos);
  }
}

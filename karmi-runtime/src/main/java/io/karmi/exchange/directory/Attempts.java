package io.karmi.exchange.directory;

import io.karmi.settings.Settings;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/**
 * Attempts to ask a directory that cannot be reached at the moment: repeated after pauses that
 * double, until {@link #limitMillis} have passed since this was made. Belongs to one thread.
 */
public final class Attempts {
  private static final long FIRST_PAUSE_MILLIS = 10;
  private static final long LONGEST_PAUSE_MILLIS = 500;

  /** Where calls wait for ever. */
  private static final long USUAL_LIMIT_MILLIS = 30_000;

  private final String url;
  private final long limitMillis = limitMillis();
  private final long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
  private long pause = FIRST_PAUSE_MILLIS;

  /** Begins them; the URL is for messages. */
  public Attempts(String url) {
    this.url = url;
  }

  /**
   * For how long a directory is waited for, and the holder of a group that sends nothing: {@code
   * karmi.keepAlive}.
   */
  public static long limitMillis() {
    long ofCalls = Settings.KEEP_ALIVE.get();
    return Settings.EXCHANGE_TIMEOUT.get(
        Settings.SYSTEM, ofCalls > 0 ? ofCalls : USUAL_LIMIT_MILLIS);
  }

  /**
   * Waits for the next attempt.
   *
   * @param isLast whether there is none, as nothing is asked any more
   * @throws IOException if there is none, or the time is over, or the thread was interrupted
   */
  public void failed(Exception problem, boolean isLast) throws IOException {
    if (isLast || end - System.nanoTime() < 0) {
      String within = isLast ? " before the space was left: " : limit();
      throw new IOException(
          "the directory " + url + " was not reached" + within + problem.getMessage(), problem);
    }
    try {
      Thread.sleep(pause);
    } catch (InterruptedException e) {
      throw interrupted();
    }
    pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
  }

  private String limit() {
    return " within " + limitMillis + " ms (karmi.keepAlive): ";
  }

  /** The exception for a thread that was interrupted, whose interrupted state is set again. */
  public static InterruptedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException("interrupted while the directory is waited for");
  }
}

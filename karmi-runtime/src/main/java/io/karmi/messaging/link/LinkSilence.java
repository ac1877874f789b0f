package io.karmi.messaging.link;

import io.karmi.guard.Silence;
import org.jspecify.annotations.Nullable;

/**
 * Timer for a peer that is waited for and from which nothing comes: its process is stopped or gone.
 * One that processes messages for long gives a sign each second ({@code LinkOutput.sign}).
 *
 * <p>Belongs to the thread that looks after links now and then.
 */
public final class LinkSilence {
  /** Nanoseconds between two signs that this end gives. */
  public static final long SIGN_NANOS = 1_000_000_000L;

  private final Silence silence = new Silence();

  /**
   * Looks once.
   *
   * @param blocked whether senders wait for the other end to process messages
   * @param asked whether it has requests to answer
   * @param usedAtNanos when something has last come
   * @return what the other end has done, or null
   */
  public @Nullable String exceeded(
      long now,
      boolean blocked,
      boolean asked,
      long usedAtNanos,
      long writeTimeoutMillis,
      long keepAliveMillis) {
    long silentNanos = silence.look(now, blocked || asked, usedAtNanos);
    if (blocked && isLonger(silentNanos, writeTimeoutMillis)) {
      return "has taken nothing for " + writeTimeoutMillis + " ms (karmi.writeTimeout)";
    }
    return isLonger(silentNanos, keepAliveMillis)
        ? "has shown no sign of life for " + keepAliveMillis + " ms (karmi.keepAlive)"
        : null;
  }

  private static boolean isLonger(long silentNanos, long millis) {
    return millis > 0 && silentNanos > millis * 1_000_000;
  }
}

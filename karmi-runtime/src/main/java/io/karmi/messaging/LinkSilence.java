package io.karmi.messaging;

import org.jspecify.annotations.Nullable;

/**
 * Timer for a peer that is waited for and from which nothing comes: its process is stopped or gone.
 * One that processes messages for long gives a sign each second ({@link LinkOutput#sign}).
 *
 * <p>Belongs to the thread that looks after links now and then.
 */
final class LinkSilence {
  /** Nanoseconds between two signs that this end gives. */
  static final long SIGN_NANOS = 1_000_000_000L;

  /**
   * Silence in nanoseconds that one look can add. If looks are farther apart this process was not
   * running, and has not read what came meanwhile.
   */
  private static final long MOST_PER_LOOK_NANOS = 1_000_000_000L;

  private long lookedAtNanos = System.nanoTime();
  private long seenUsed;
  private long silentNanos;

  /**
   * Looks once.
   *
   * @param blocked whether senders wait for the other end to process messages
   * @param asked whether it has requests to answer
   * @param usedAtNanos when something has last come
   * @return what the other end has done, or null
   */
  @Nullable String exceeded(
      long now, boolean blocked, boolean asked, long usedAtNanos, MessagingSettings settings) {
    long sinceLast = Math.min(now - lookedAtNanos, MOST_PER_LOOK_NANOS);
    lookedAtNanos = now;
    if (!blocked && !asked || usedAtNanos != seenUsed) {
      seenUsed = usedAtNanos;
      silentNanos = 0;
      return null;
    }
    silentNanos += sinceLast;
    if (blocked && isLonger(settings.writeTimeoutMillis)) {
      return "has taken nothing for " + settings.writeTimeoutMillis + " ms (karmi.writeTimeout)";
    }
    return isLonger(settings.keepAliveMillis)
        ? "has shown no sign of life for " + settings.keepAliveMillis + " ms (karmi.keepAlive)"
        : null;
  }

  private boolean isLonger(long millis) {
    return millis > 0 && silentNanos > millis * 1_000_000;
  }
}

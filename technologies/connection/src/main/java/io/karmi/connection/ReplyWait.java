package io.karmi.connection;

import org.jspecify.annotations.Nullable;

/**
 * Who waits on a connection, and for how long, as the {@link Watchdog} sees it.
 *
 * <p>The thread that has the connection says when it begins and ends to wait for a reply; all else
 * is asked by the watchdog.
 */
final class ReplyWait {
  private final boolean interruptible;

  /** Null if nobody waits, or nobody wants to be released by an interrupt. */
  private volatile @Nullable Thread caller;

  private volatile boolean givenUp;

  /** What the watchdog has seen of {@link CallFrameInput#progress}, and when it saw it first. */
  private int seenProgress;

  private long seenSinceNanos;

  ReplyWait(boolean interruptible) {
    this.interruptible = interruptible;
  }

  /** Whether callers are released by an interrupt; then they say when they wait. */
  boolean isReleasing() {
    return interruptible;
  }

  void begin() {
    caller = Thread.currentThread();
  }

  void end() {
    caller = null;
  }

  /** True if the caller is interrupted; its call is given up then. */
  boolean isToBeGivenUp() {
    Thread waiting = caller;
    if (waiting == null || !waiting.isInterrupted()) {
      return false;
    }
    givenUp = true;
    return true;
  }

  /** True if the caller, which was interrupted just now, is released by that. */
  boolean isReleasedNow() {
    if (caller != Thread.currentThread()) {
      return false;
    }
    givenUp = true;
    return true;
  }

  /** True if a call was given up because its caller was interrupted. */
  boolean isGivenUp() {
    return givenUp;
  }

  /**
   * True if the same read has been waiting for bytes for so long.
   *
   * @param mayBeSilent nobody is owed any bytes now
   */
  boolean isStalled(int progress, boolean mayBeSilent, long now, long timeoutNanos) {
    boolean reading = (progress & 1) != 0;
    if (progress == seenProgress && reading && !mayBeSilent) {
      return now - seenSinceNanos > timeoutNanos;
    }
    seenProgress = progress;
    seenSinceNanos = now;
    return false;
  }
}

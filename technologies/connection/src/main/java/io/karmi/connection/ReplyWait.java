package io.karmi.connection;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Who waits on a connection, and for how long, as the {@link Watchdog} sees it.
 *
 * <p>The thread that has the connection says when it begins and ends to wait for a reply; all else
 * is asked by the watchdog.
 */
final class ReplyWait {
  private static final AtomicReferenceFieldUpdater<ReplyWait, @Nullable Thread> CALLER =
      AtomicReferenceFieldUpdater.newUpdater(ReplyWait.class, Thread.class, "caller");

  private final boolean interruptible;

  /**
   * Null if nobody waits, or nobody wants to be released by an interrupt. Taken away by whoever is
   * first: the caller that has its reply, or the watchdog that gives its call up.
   */
  private volatile @Nullable Thread caller;

  private volatile boolean givenUp;

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

  /** False if the call was given up meanwhile: the connection is being closed. */
  boolean end() {
    Thread self = Thread.currentThread();
    return CALLER.compareAndSet(this, self, null) || !givenUp;
  }

  /** True if the caller is interrupted; its call is given up then. */
  boolean isToBeGivenUp() {
    Thread waiting = caller;
    if (waiting == null || !waiting.isInterrupted()) {
      return false;
    }
    givenUp = true;
    if (CALLER.compareAndSet(this, waiting, null)) {
      return true;
    }
    givenUp = false; // the reply was faster
    return false;
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
}

package io.karmi.connection.call;

import io.karmi.connection.guard.Watchdog;
import io.karmi.technology.CallDeadline;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Wait for a reply on a connection: the thread that waits, and its limit, for the {@link Watchdog}.
 *
 * <p>The thread that has the connection begins and ends the wait; the other methods are for the
 * watchdog.
 */
final class ReplyWait {
  private static final AtomicReferenceFieldUpdater<ReplyWait, @Nullable Thread> CALLER =
      AtomicReferenceFieldUpdater.newUpdater(ReplyWait.class, Thread.class, "caller");

  private static final AtomicReferenceFieldUpdater<ReplyWait, @Nullable Limit> LIMIT =
      AtomicReferenceFieldUpdater.newUpdater(ReplyWait.class, Limit.class, "limit");

  private final boolean interruptible;

  /**
   * The waiting thread; null if none waits, or interrupts do not release callers. Cleared by
   * whichever is first: the caller that has its reply, or the watchdog that gives its call up.
   */
  private volatile @Nullable Thread caller;

  private volatile boolean givenUp;

  /**
   * The innermost call that may be given up, or null. Cleared by whichever is first, as {@link
   * #caller}.
   */
  private volatile @Nullable Limit limit;

  private volatile boolean overdue;

  /**
   * The limit of a call, which may end the wait before the reply comes.
   *
   * @param deadline null if only the caller can
   * @param depth number of calls of the other end that are executed around it
   * @param outer the limit of a call around it over the same connection, or null
   */
  record Limit(@Nullable CallDeadline deadline, int depth, @Nullable Limit outer) {
    private boolean hasPassed(long now) {
      return deadline != null && deadline.hasPassed(now) || outer != null && outer.hasPassed(now);
    }
  }

  ReplyWait(boolean interruptible) {
    this.interruptible = interruptible;
  }

  /** Whether interrupts release callers; then their waits must be noted. */
  boolean isReleasing() {
    return interruptible;
  }

  void begin() {
    caller = Thread.currentThread();
  }

  /** Goes on with a wait, though others may have begun and ended inside it. */
  void goOn() {
    if (caller == null && !givenUp) {
      caller = Thread.currentThread();
    }
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

  /** Allows a call to be given up; returns what {@link #endLimit} needs. */
  Limit limit(@Nullable CallDeadline deadline, int depth) {
    Limit inner = new Limit(deadline, depth, limit);
    limit = inner;
    return inner;
  }

  /** False if a call was given up meanwhile: the connection is being closed. */
  boolean endLimit(Limit ended) {
    LIMIT.compareAndSet(this, ended, ended.outer);
    return !overdue;
  }

  /** Whether a call may be given up. */
  boolean isLimited() {
    return limit != null;
  }

  /** True once when a call has taken too long; it is given up then. */
  boolean takeOverdue(long now) {
    Limit inner = limit;
    return inner != null && inner.hasPassed(now) && take(inner);
  }

  /** True if a call was still waiting; it is given up then. */
  boolean take(Limit waiting) {
    overdue = true;
    if (LIMIT.compareAndSet(this, waiting, null)) {
      return true;
    }
    overdue = false; // the reply was faster
    return false;
  }

  /** True if a call was given up before its reply came. */
  boolean isOverdue() {
    return overdue;
  }

  /** True if a call was given up because its caller was interrupted. */
  boolean isGivenUp() {
    return givenUp;
  }
}

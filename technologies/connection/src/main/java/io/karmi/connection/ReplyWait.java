package io.karmi.connection;

import io.karmi.technology.CallDeadline;
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

  private static final AtomicReferenceFieldUpdater<ReplyWait, @Nullable Limit> LIMIT =
      AtomicReferenceFieldUpdater.newUpdater(ReplyWait.class, Limit.class, "limit");

  private final boolean interruptible;

  /**
   * Null if no thread waits, or none wants to be released by an interrupt. Taken away by the thread
   * that is first: the caller that has its reply, or the watchdog that gives its call up.
   */
  private volatile @Nullable Thread caller;

  private volatile boolean givenUp;

  /**
   * The innermost call that may be given up, or null. Taken away by the first, as {@link #caller}.
   */
  private volatile @Nullable Limit limit;

  private volatile boolean overdue;

  /**
   * What may end the wait for a call before its reply comes.
   *
   * @param deadline null if only the caller can
   * @param depth how many calls of the other end are executed around it
   * @param outer that of a call around it over the same connection, or null
   */
  record Limit(@Nullable CallDeadline deadline, int depth, @Nullable Limit outer) {
    private boolean hasPassed(long now) {
      return deadline != null && deadline.hasPassed(now) || outer != null && outer.hasPassed(now);
    }
  }

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

  /** A call may be given up; returns what {@link #endLimit} needs. */
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

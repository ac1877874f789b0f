package io.karmi.technology;

import java.net.SocketTimeoutException;
import java.rmi.MarshalException;
import java.rmi.RemoteException;
import java.rmi.UnmarshalException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Deadline of a call, and its origin. Immutable.
 *
 * <p>A thread has at most one: while it works under a limit of the program, or executes a call that
 * came with one. Its own calls inherit the time that is left.
 */
public final class CallDeadline {
  /** Name of the header with the time that is left, in whole milliseconds. */
  public static final String HEADER = "karmi-deadline";

  /** The longest deadline, in milliseconds; longer ones are shortened to it. */
  private static final long MAXIMUM_MILLIS = TimeUnit.DAYS.toMillis(365);

  private static final ThreadLocal<@Nullable CallDeadline> CURRENT = new ThreadLocal<>();

  private final long endNanos;
  private final long millis;
  private final String origin;

  private CallDeadline(long endNanos, long millis, String origin) {
    this.endNanos = endNanos;
    this.millis = millis;
    this.origin = origin;
  }

  /**
   * A deadline from now on.
   *
   * @param origin what has set it, for messages
   */
  public static CallDeadline in(long millis, String origin) {
    long bounded = Math.max(0, Math.min(millis, MAXIMUM_MILLIS));
    return new CallDeadline(System.nanoTime() + bounded * 1_000_000, bounded, origin);
  }

  /** The deadline that came with a call; null if there is none, or no valid one. */
  public static @Nullable CallDeadline sent(Map<String, String> header, String origin) {
    String left = header.get(HEADER);
    if (left == null) {
      return null;
    }
    try {
      long millis = Long.parseLong(left);
      return millis < 0 ? null : in(millis, origin);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** The deadline of the current thread, or null. */
  public static @Nullable CallDeadline current() {
    return CURRENT.get();
  }

  /** Limits what the current thread does; returns what {@link #leave} needs. */
  public static @Nullable CallDeadline enter(@Nullable CallDeadline deadline) {
    CallDeadline outer = CURRENT.get();
    CURRENT.set(sooner(outer, deadline));
    return outer;
  }

  /** Ends what {@link #enter} began. */
  public static void leave(@Nullable CallDeadline outer) {
    if (outer == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(outer);
    }
  }

  /** The one that ends first; null if both are null. */
  public static @Nullable CallDeadline sooner(
      @Nullable CallDeadline one, @Nullable CallDeadline other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.endNanos - other.endNanos <= 0 ? one : other;
  }

  /**
   * The shorter one of a timeout in milliseconds, where 0 is none, and the time that the current
   * thread has left.
   */
  public static long limited(long timeoutMillis) {
    CallDeadline deadline = CURRENT.get();
    if (deadline == null) {
      return timeoutMillis;
    }
    long left = Math.max(1, deadline.leftMillis());
    return timeoutMillis == 0 ? left : Math.min(left, timeoutMillis);
  }

  /** Milliseconds that are left, rounded up; 0 once it has passed. */
  public long leftMillis() {
    return Math.max(0, (endNanos - System.nanoTime() + 999_999) / 1_000_000);
  }

  /** Whether it has passed by now. */
  public boolean hasPassed() {
    return hasPassed(System.nanoTime());
  }

  /** Whether it has passed at a time of {@link System#nanoTime}. */
  public boolean hasPassed(long now) {
    return now - endNanos >= 0;
  }

  /**
   * The exception for a call that is given up because of it.
   *
   * @param what the method and the object
   * @param reason the network's exception, which tells whether the call may have been executed;
   *     null if it was not sent
   */
  RemoteException passed(String what, @Nullable RemoteException reason) {
    long waited = millis + (System.nanoTime() - endNanos) / 1_000_000;
    boolean executed = reason instanceof UnmarshalException;
    String message =
        "deadline of "
            + millis
            + " ms ("
            + origin
            + ") has passed after "
            + waited
            + " ms: call of "
            + what
            + " given up; it "
            + (executed ? "may have been executed" : "has not been executed");
    SocketTimeoutException cause = new SocketTimeoutException(message);
    if (reason != null) {
      cause.initCause(reason);
    }
    return executed ? new UnmarshalException(message, cause) : new MarshalException(message, cause);
  }

  @Override
  public String toString() {
    return leftMillis() + " of " + millis + " ms (" + origin + ")";
  }
}

package io.karmi.exchange.server;

/**
 * The time after a restart of the server, within which members report again what they have: a key
 * that is not bound yet is waited for, and no group ends. Guarded by the table.
 */
final class Recovery {
  /** The whole of it, from the first member on that knew the server before. */
  private static final long MILLIS = 10_000;

  /**
   * The part of it within which members that run report again, as they give signs of life. Until
   * then who has bound a key may have been followed by another one.
   */
  static final long REPORTING_MILLIS = 3_000;

  private long endNanos = System.nanoTime();

  /** Whether a member has come that knew the server before its restart. */
  private boolean hasBegun;

  /** No member has known another server before this one. */
  void skip() {
    endNanos -= REPORTING_MILLIS * 1_000_000;
  }

  /** A member has come that knew the server before its restart; whether it is the first one. */
  boolean begin() {
    if (hasBegun) {
      return false;
    }
    hasBegun = true;
    endNanos = System.nanoTime() + MILLIS * 1_000_000;
    return true;
  }

  boolean isRunning() {
    return hasBegun && leftNanos() > 0;
  }

  /**
   * What is left of it, in nanoseconds. Until a member has come that knew the server before, each
   * start may be a restart.
   */
  long leftNanos() {
    long unknown = hasBegun ? 0 : REPORTING_MILLIS * 1_000_000;
    return endNanos + unknown - System.nanoTime();
  }

  /** What is left of the time within which members that run report again, in nanoseconds. */
  long leftToReportNanos() {
    return hasBegun ? endNanos - (MILLIS - REPORTING_MILLIS) * 1_000_000 - System.nanoTime() : 0;
  }
}

package io.karmi.dgc.lease;

import java.util.concurrent.TimeUnit;

/**
 * Bounds of a lease's duration. Without them an owner could make its holders send without end, and
 * a time that overflows would end at once.
 */
final class LeaseTimes {
  /** The shortest lease, in milliseconds; it is renewed after half of it. */
  static final long SHORTEST_MILLIS = 200;

  /** The longest lease, in milliseconds. */
  static final long LONGEST_MILLIS = TimeUnit.DAYS.toMillis(365);

  private LeaseTimes() {}

  /** The duration that an owner grants unless it is asked for less. */
  static long ofOwner(long configuredMillis) {
    return Math.max(SHORTEST_MILLIS, Math.min(LONGEST_MILLIS, configuredMillis));
  }

  /** The duration after which a holder renews, in nanoseconds, for what the owner has granted. */
  static long renewalNanos(long grantedMillis) {
    return TimeUnit.MILLISECONDS.toNanos(ofOwner(grantedMillis)) / 2;
  }
}

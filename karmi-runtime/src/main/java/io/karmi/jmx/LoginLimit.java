package io.karmi.jmx;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Limit of failed logins from one host: {@value #AT_ONCE} at once, and then one a second. Beyond
 * that logins are refused without a look at their credentials, even right ones, so that more
 * connections do not help to guess passwords. Thread-safe.
 */
final class LoginLimit {
  /** Logins of a host that may be under way, or have failed a moment ago. */
  static final int AT_ONCE = 20;

  private static final long NANOS_EACH = TimeUnit.SECONDS.toNanos(1);

  /** Hosts beyond this are remembered only while they have failed a moment ago. */
  private static final int MANY_HOSTS = 1000;

  private final LongSupplier clock;

  /** By host, when it will have paid for its logins at one a second. */
  private final Map<String, Long> paidAtNanos = new HashMap<>();

  /**
   * Without logins.
   *
   * @param clock tells nanoseconds
   */
  LoginLimit(LongSupplier clock) {
    this.clock = clock;
  }

  /**
   * A host wants to log in.
   *
   * @throws SecurityException if too many of its logins have failed
   */
  synchronized void begin(String host) {
    long now = clock.getAsLong();
    long paid = Math.max(0, paidAtNanos.getOrDefault(host, now) - now);
    if (paid > (AT_ONCE - 1) * NANOS_EACH) {
      throw new SecurityException(
          "too many logins from " + host + " have failed: another may be tried in a second");
    }
    if (paidAtNanos.size() >= MANY_HOSTS) {
      paidAtNanos.values().removeIf(until -> until - now <= 0);
    }
    paidAtNanos.put(host, now + paid + NANOS_EACH);
  }

  /** The login that has begun has succeeded. */
  synchronized void succeeded(String host) {
    paidAtNanos.computeIfPresent(host, (name, until) -> until - NANOS_EACH);
  }

  /** How many hosts are remembered. */
  synchronized int hosts() {
    return paidAtNanos.size();
  }
}

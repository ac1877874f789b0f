package io.karmi.connection;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Limit of the bytes a second that each host may send over all of its connections together. Bytes
 * that come faster are read later, so that in the end their sender waits. Thread-safe.
 */
final class HostRates {
  /** Nanoseconds' worth of bytes that a host which has been silent may send at once. */
  private static final long BURST_NANOS = 250_000_000;

  /** Nanoseconds after which a closed connection is noticed while its thread waits. */
  private static final long PAUSE_NANOS = 100_000_000;

  private final double nanosPerByte;
  private final Map<Object, HostRate> hosts = new HashMap<>();

  /** For a limit of at least one byte a second. */
  HostRates(long bytesPerSecond) {
    nanosPerByte = TimeUnit.SECONDS.toNanos(1) / (double) bytesPerSecond;
  }

  /** Adds a connection of a host; {@link #leave} must follow. */
  synchronized HostRate enter(Object host) {
    HostRate rate = hosts.computeIfAbsent(host, any -> new HostRate());
    rate.connections++;
    return rate;
  }

  /** Removes a connection. The excess of its host counts for the next one. */
  synchronized void leave(Object host) {
    HostRate rate = hosts.get(host);
    if (rate != null && --rate.connections == 0 && !rate.isInDebt(System.nanoTime())) {
      hosts.remove(host);
    }
  }

  /** Forgets hosts that have no connections and no excess; called now and then. */
  synchronized void purge(long now) {
    hosts.values().removeIf(rate -> rate.connections == 0 && !rate.isInDebt(now));
  }

  /** Limit of one host. */
  final class HostRate {
    private int connections;

    /** Time until which the host has used up what it may send. */
    private long paidUntilNanos = System.nanoTime() - BURST_NANOS;

    private synchronized boolean isInDebt(long now) {
      return paidUntilNanos - now > 0;
    }

    private synchronized long pay(int bytes) {
      long now = System.nanoTime();
      long from = Math.max(0, paidUntilNanos - (now - BURST_NANOS));
      paidUntilNanos = now - BURST_NANOS + from + (long) (bytes * nanosPerByte);
      return paidUntilNanos;
    }

    /**
     * Takes bytes that the host has sent, and waits until it may send more.
     *
     * @param over whether it is not worth waiting any more, because the connection is closed
     */
    void take(int bytes, BooleanSupplier over) {
      long until = pay(bytes);
      boolean interrupted = false;
      for (long left = until - System.nanoTime();
          left > 0 && !over.getAsBoolean();
          left = until - System.nanoTime()) {
        LockSupport.parkNanos(Math.min(left, PAUSE_NANOS));
        interrupted |= Thread.interrupted();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Rates for a limit; null for 0, which is none. */
  static @Nullable HostRates of(long bytesPerSecond) {
    return bytesPerSecond == 0 ? null : new HostRates(bytesPerSecond);
  }
}

package io.karmi.guard;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Limit of what each host may make this node do in a second, such as bytes to read, steps of hashes
 * or lines of a log. A host that was quiet may do some at once.
 *
 * <p>Who cannot wait {@linkplain #tryTake asks} whether there is something left. A connection that
 * may wait {@linkplain #enter enters}, and is held up; or, where it pays before it does something,
 * {@linkplain #await awaits} what is left. Thread-safe.
 */
public final class HostRates {
  /** Hosts beyond this are remembered only while they have done something a moment ago. */
  private static final int MANY_HOSTS = 1000;

  /** Nanoseconds after which a closed connection is noticed while its thread waits. */
  private static final long PAUSE_NANOS = 100_000_000;

  private final double nanosPerUnit;
  private final long burstNanos;
  private final LongSupplier clock;
  private final Map<Object, HostRate> hosts = new HashMap<>();

  /**
   * A limit.
   *
   * @param perSecond units a second and host
   * @param burst units that a host which was quiet may have at once
   */
  public HostRates(double perSecond, double burst) {
    this(perSecond, burst, System::nanoTime);
  }

  /** The same with a clock of nanoseconds. */
  public HostRates(double perSecond, double burst, LongSupplier clock) {
    nanosPerUnit = TimeUnit.SECONDS.toNanos(1) / perSecond;
    burstNanos = (long) (burst * nanosPerUnit);
    this.clock = clock;
  }

  /** Adds a connection of a host; {@link #leave} must follow. */
  public synchronized HostRate enter(Object host) {
    HostRate rate = hosts.computeIfAbsent(host, any -> new HostRate());
    rate.connections++;
    return rate;
  }

  /** Removes a connection. The excess of its host counts for the next one. */
  public synchronized void leave(Object host) {
    HostRate rate = hosts.get(host);
    if (rate != null && --rate.connections == 0 && rate.isPaid(clock.getAsLong())) {
      hosts.remove(host);
    }
  }

  /** Forgets hosts that have no connections and no excess; called now and then. */
  public synchronized void purge() {
    long now = clock.getAsLong();
    hosts.values().removeIf(rate -> rate.connections == 0 && rate.isPaid(now));
  }

  /**
   * Takes units of a host, if it has as many left.
   *
   * @return false if it has not; then none are taken
   */
  public synchronized boolean tryTake(Object host, long units) {
    HostRate rate = hosts.get(host);
    if (rate == null) {
      if (hosts.size() >= MANY_HOSTS) {
        purge();
      }
      rate = new HostRate();
      hosts.put(host, rate);
    }
    return rate.tryTake(units);
  }

  /**
   * Takes units of a host as soon as it has as many left. Who came last is first: those who wait
   * for long may have gone, and cannot be seen to have. Who gives up has taken nothing.
   *
   * @param over whether it is not worth waiting any more, because the connection is closed
   * @return false if it is over; then none are taken
   */
  public boolean await(@Nullable Object host, long units, BooleanSupplier over) {
    if (host == null) {
      return true;
    }
    HostRate rate = enter(host);
    try {
      return rate.await(units, over);
    } finally {
      leave(host);
    }
  }

  /** Gives back units that a host has taken, as they were not used. */
  public synchronized void giveBack(@Nullable Object host, long units) {
    HostRate rate = hosts.get(host);
    if (rate != null) {
      rate.giveBack(units);
    }
  }

  /** How many hosts are remembered. */
  public synchronized int hosts() {
    return hosts.size();
  }

  /** What one host has done. Thread-safe. */
  public final class HostRate {
    private int connections;

    /** Threads that wait for units, the last that came at the end. */
    private final Deque<Thread> waiting = new ArrayDeque<>();

    /** Time until which the host has used up what it may do, beyond what it may do at once. */
    private long paidUntilNanos = clock.getAsLong() - burstNanos;

    private synchronized boolean isPaid(long now) {
      return paidUntilNanos + burstNanos - now <= 0;
    }

    /** What was left of a burst is not more than a burst. */
    private long paidBy(long now) {
      return Math.max(paidUntilNanos - now, -burstNanos) + now;
    }

    private synchronized long pay(long units) {
      paidUntilNanos = paidBy(clock.getAsLong()) + (long) (units * nanosPerUnit);
      return paidUntilNanos;
    }

    private synchronized boolean tryTake(long units) {
      long now = clock.getAsLong();
      long after = paidBy(now) + (long) (units * nanosPerUnit);
      boolean left = after - now <= 0;
      if (left) {
        paidUntilNanos = after;
      }
      return left;
    }

    private synchronized void giveBack(long units) {
      paidUntilNanos -= (long) (units * nanosPerUnit);
      LockSupport.unpark(waiting.peekLast());
    }

    private boolean await(long units, BooleanSupplier over) {
      Thread own = Thread.currentThread();
      boolean interrupted = false;
      synchronized (this) {
        waiting.addLast(own);
      }
      try {
        boolean taken = tryTakeAsLast(own, units);
        while (!taken && !over.getAsBoolean()) {
          LockSupport.parkNanos(PAUSE_NANOS);
          interrupted |= Thread.interrupted();
          taken = tryTakeAsLast(own, units);
        }
        return taken;
      } finally {
        stopWaiting(own);
        if (interrupted) {
          own.interrupt();
        }
      }
    }

    private synchronized boolean tryTakeAsLast(Thread own, long units) {
      return waiting.peekLast() == own && tryTake(units);
    }

    private synchronized void stopWaiting(Thread own) {
      waiting.removeLastOccurrence(own);
      LockSupport.unpark(waiting.peekLast());
    }

    /**
     * Takes units, and waits until the host may have more.
     *
     * @param over whether it is not worth waiting any more, because the connection is closed
     */
    public void take(int units, BooleanSupplier over) {
      long until = pay(units);
      boolean interrupted = false;
      for (long left = until - clock.getAsLong();
          left > 0 && !over.getAsBoolean();
          left = until - clock.getAsLong()) {
        LockSupport.parkNanos(Math.min(left, PAUSE_NANOS));
        interrupted |= Thread.interrupted();
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}

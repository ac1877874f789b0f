package io.karmi.connection;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the connections of others, from the moment they are accepted: so it bounds the threads
 * that serve them, and the calls that they can bring. Thread-safe.
 */
public final class ConnectionLimit {
  /** How long somebody who was refused may read why. */
  private static final long FAREWELL_MILLIS = 1000;

  /** Of so many at a time; others are closed at once. */
  private static final int MAXIMUM_FAREWELLS = 64;

  private static final long WARNING_PAUSE_NANOS = 10_000_000_000L;

  private final Introducer introducer;
  private final int maximum;
  private final Watchdog watchdog;
  private final AtomicInteger present = new AtomicInteger();
  private long refused;
  private long warnedAtNanos = System.nanoTime() - WARNING_PAUSE_NANOS;

  ConnectionLimit(Introducer introducer, int maximum, Watchdog watchdog) {
    this.introducer = introducer;
    this.maximum = maximum;
    this.watchdog = watchdog;
  }

  /** How many were not let in. */
  synchronized long refused() {
    return refused;
  }

  /** How many have entered and not left. */
  public int present() {
    return present.get();
  }

  /**
   * Lets a connection in; {@link #leave} must follow.
   *
   * @return false if there are too many; the connection has been told so, or closed
   */
  public boolean enter(Arrival connection) {
    if (present.incrementAndGet() <= maximum) {
      return true;
    }
    present.decrementAndGet();
    warn();
    if (watchdog.expectedCount() > MAXIMUM_FAREWELLS) {
      closeQuietly(connection);
    } else {
      refuse(connection, "it serves its maximum of " + maximum + " (karmi.maxConnections)");
    }
    return false;
  }

  /** One that entered has ended. */
  public void leave() {
    present.decrementAndGet();
  }

  /**
   * Says why a connection is refused. The watchdog closes it a little later: closed at once, with
   * bytes that nobody has read, it would be reset, and the reason lost. The buffer of a new socket
   * has room for the reason, so this does not wait.
   */
  private void refuse(Arrival connection, String reason) {
    watchdog.expect(connection, FAREWELL_MILLIS);
    try {
      introducer.refuse(connection.output(), reason);
      connection.endOutput();
    } catch (IOException e) {
      closeQuietly(connection);
    }
  }

  private static void closeQuietly(Arrival connection) {
    try {
      connection.close();
    } catch (IOException e) {
      ConnectionLog.LOG.log(System.Logger.Level.DEBUG, "closing a refused connection failed", e);
    }
  }

  private synchronized void warn() {
    refused++;
    long now = System.nanoTime();
    if (now - warnedAtNanos >= WARNING_PAUSE_NANOS) {
      warnedAtNanos = now;
      ConnectionLog.LOG.log(
          System.Logger.Level.WARNING,
          "{0} connections refused so far: there are {1} already (karmi.maxConnections)",
          refused,
          maximum);
    }
  }
}

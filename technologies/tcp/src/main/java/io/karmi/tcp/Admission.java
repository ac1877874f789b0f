package io.karmi.tcp;

import io.karmi.id.NodeId;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the connections of others, from the moment they are accepted: so it bounds the threads
 * that serve them, and the calls that they can bring. Thread-safe.
 */
final class Admission {
  /** How long somebody who was refused may read why. */
  private static final long FAREWELL_MILLIS = 1000;

  /** Of so many at a time; others are closed at once. */
  private static final int MAXIMUM_FAREWELLS = 64;

  private static final long WARNING_PAUSE_NANOS = 10_000_000_000L;

  private final NodeId node;
  private final int maximum;
  private final Watchdog watchdog;
  private final AtomicInteger present = new AtomicInteger();
  private long refused;
  private long warnedAtNanos = System.nanoTime() - WARNING_PAUSE_NANOS;

  Admission(NodeId node, int maximum, Watchdog watchdog) {
    this.node = node;
    this.maximum = maximum;
    this.watchdog = watchdog;
  }

  /** How many were not let in. */
  synchronized long refused() {
    return refused;
  }

  /** How many have entered and not left. */
  int present() {
    return present.get();
  }

  /**
   * Lets a connection in; {@link #leave} must follow.
   *
   * @return false if there are too many; the connection has been told so, or closed
   */
  boolean enter(Socket connection) {
    if (present.incrementAndGet() <= maximum) {
      return true;
    }
    present.decrementAndGet();
    warn();
    if (watchdog.expectedCount() > MAXIMUM_FAREWELLS) {
      Opening.closeQuietly(connection);
    } else {
      refuse(connection, "it serves its maximum of " + maximum + " (karmi.maxConnections)");
    }
    return false;
  }

  /** One that entered has ended. */
  void leave() {
    present.decrementAndGet();
  }

  /**
   * Says why a connection is refused. The watchdog closes it a little later: closed at once, with
   * bytes that nobody has read, it would be reset, and the reason lost. The buffer of a new socket
   * has room for the reason, so this does not wait.
   */
  void refuse(Socket connection, String reason) {
    watchdog.expect(connection, FAREWELL_MILLIS);
    try {
      Hello.refusing(node, reason).write(connection.getOutputStream());
      connection.shutdownOutput();
    } catch (IOException e) {
      Opening.closeQuietly(connection);
    }
  }

  private synchronized void warn() {
    refused++;
    long now = System.nanoTime();
    if (now - warnedAtNanos >= WARNING_PAUSE_NANOS) {
      warnedAtNanos = now;
      TcpTechnology.LOG.log(
          System.Logger.Level.WARNING,
          "{0} connections refused so far: there are {1} already (karmi.maxConnections)",
          refused,
          maximum);
    }
  }
}

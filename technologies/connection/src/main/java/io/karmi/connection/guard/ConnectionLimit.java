package io.karmi.connection.guard;

import io.karmi.connection.channel.Arrival;
import io.karmi.connection.channel.ConnectionLog;
import io.karmi.connection.channel.Introducer;
import io.karmi.guard.Ledger;
import io.karmi.guard.StuckThreads;
import io.karmi.technology.ConnectionSettings;
import io.karmi.technology.Workers;
import java.io.IOException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Limit of the connections of others, from the moment they are accepted. It also bounds the threads
 * that serve them, and the calls that they bring. Thread-safe.
 */
public final class ConnectionLimit {
  /** Time for a refused peer to read the reason, in milliseconds. */
  private static final long FAREWELL_MILLIS = 1000;

  /** Upper bound of refused peers that may read at a time; others are closed at once. */
  private static final int MAXIMUM_FAREWELLS = 64;

  /** Number of threads that send the reason where a socket may wait. */
  private static final int FAREWELL_THREADS = 8;

  private static final long WARNING_PAUSE_NANOS = 10_000_000_000L;

  private final Introducer introducer;
  private final int maximum;
  private final int maximumPerHost;
  private final Ledger ledger;
  private final Watchdog watchdog;
  private final Predicate<@Nullable Object> room;
  private final Workers workers = new Workers("KaRMI Refusal", FAREWELL_THREADS);

  /** Whether no connection enters any more. */
  private volatile boolean ended;

  private long refused;

  /** Number of those refused because of their host. */
  private long refusedOfHost;

  private long warnedAtNanos = System.nanoTime() - WARNING_PAUSE_NANOS;

  /**
   * A limit.
   *
   * @param room has a connection give way whose thread does not get on, one of a host or, for null,
   *     of any; false if there is none
   */
  public ConnectionLimit(
      Introducer introducer,
      ConnectionSettings settings,
      Watchdog watchdog,
      Predicate<@Nullable Object> room) {
    this.room = room;
    this.introducer = introducer;
    this.maximum = settings.maximumConnections;
    this.maximumPerHost = settings.maximumConnectionsPerHost;
    this.ledger = new Ledger("karmi.maxConnections", maximum, maximumPerHost, Ledger.Weakest.NONE);
    this.watchdog = watchdog;
  }

  /** The number of connections that were refused. */
  public synchronized long refused() {
    return refused;
  }

  /** The number of those refused because their host had too many. */
  public synchronized long refusedOfHost() {
    return refusedOfHost;
  }

  /** The number of connections that have entered and not left. */
  public int present() {
    return (int) ledger.taken();
  }

  /** Lets no more connections in: a listener may hand one over while it is being closed. */
  public void end() {
    ended = true;
  }

  /**
   * Lets a connection in; {@link #leave} must follow. Does not wait for the other end.
   *
   * @return false if there are too many, or this node ends; then the connection is closed, if
   *     possible after it was told so
   */
  public boolean enter(Arrival connection) {
    String reason = tryToEnter(connection.host());
    if (reason == null) {
      return true;
    }
    warn(reason);
    if (watchdog.expectedCount() + workers.waitingTasks() > MAXIMUM_FAREWELLS) {
      closeQuietly(connection);
    } else if (connection.mayWait()) {
      workers.execute(() -> refuse(connection, reason));
    } else {
      refuse(connection, reason);
    }
    return false;
  }

  /** Lets a connection of a host in; returns why it cannot enter, or null if it has. */
  private @Nullable String tryToEnter(@Nullable Object host) {
    while (!ended) {
      Ledger.Outcome outcome = ledger.take(host, 1);
      if (outcome == Ledger.Outcome.TAKEN) {
        return null;
      }
      boolean ofHost = outcome == Ledger.Outcome.HOST_IS_FULL;
      if (!room.test(ofHost ? host : null)) {
        return ofHost ? refusalOfHost() : refusal();
      }
    }
    return "it shuts down";
  }

  private String refusal() {
    return "it serves its maximum of " + maximum + " (karmi.maxConnections)" + stuck();
  }

  private String refusalOfHost() {
    countOfHost();
    return "it serves the maximum of "
        + maximumPerHost
        + " for one host (karmi.maxConnectionsPerHost)"
        + stuck();
  }

  private static String stuck() {
    long stuck = StuckThreads.count();
    return stuck == 0 ? "" : ", and " + stuck + " threads do not come back from code of others";
  }

  private synchronized void countOfHost() {
    refusedOfHost++;
  }

  /** Ends a connection that had entered, of a network without hosts. */
  public void leave() {
    leave(null);
  }

  /**
   * Ends a connection that had entered. Needs no memory.
   *
   * @param host the host of its {@link Arrival}
   */
  public void leave(@Nullable Object host) {
    ledger.giveBack(host, 1);
  }

  /**
   * Tells the other end why its connection is refused. The watchdog closes it a little later:
   * closed at once, with bytes that are unread, it would be reset, and the reason lost. The buffer
   * of a new socket has room for the reason, so this does not wait, unless the socket has layers
   * that do.
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

  private synchronized void warn(String reason) {
    refused++;
    long now = System.nanoTime();
    if (now - warnedAtNanos >= WARNING_PAUSE_NANOS) {
      warnedAtNanos = now;
      ConnectionLog.LOG.log(
          System.Logger.Level.WARNING,
          "{0} connections refused so far, the last because {1}",
          refused,
          reason);
    }
  }
}

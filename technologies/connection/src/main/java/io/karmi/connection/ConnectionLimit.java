package io.karmi.connection;

import io.karmi.technology.Workers;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts the connections of others, from the moment they are accepted: so it bounds the threads
 * that serve them, and the calls that they can bring. Thread-safe.
 */
public final class ConnectionLimit {
  /** For how long a peer that was refused may read why, in milliseconds. */
  private static final long FAREWELL_MILLIS = 1000;

  /** How many refused peers may read at a time; others are closed at once. */
  private static final int MAXIMUM_FAREWELLS = 64;

  /** Threads that tell peers why they are refused whose sockets may wait. */
  private static final int FAREWELL_THREADS = 8;

  private static final long WARNING_PAUSE_NANOS = 10_000_000_000L;

  private final Introducer introducer;
  private final int maximum;
  private final int maximumPerHost;
  private final Watchdog watchdog;
  private final Workers workers = new Workers("KaRMI Refusal", FAREWELL_THREADS);

  /** How many there are of each host; its lock guards the number of all, too. */
  private final Map<Object, int[]> hosts = new HashMap<>();

  private int present;

  /** Whether none enters any more; guarded by the lock of the hosts. */
  private boolean ended;

  private long refused;

  /** How many of these because of their host; guarded by the lock of the hosts. */
  private long refusedOfHost;

  private long warnedAtNanos = System.nanoTime() - WARNING_PAUSE_NANOS;

  ConnectionLimit(Introducer introducer, ConnectionSettings settings, Watchdog watchdog) {
    this.introducer = introducer;
    this.maximum = settings.maximumConnections;
    this.maximumPerHost = settings.maximumConnectionsPerHost;
    this.watchdog = watchdog;
  }

  /** How many were not let in. */
  synchronized long refused() {
    return refused;
  }

  /** How many of these because their host had too many already. */
  long refusedOfHost() {
    synchronized (hosts) {
      return refusedOfHost;
    }
  }

  /** How many have entered and not left. */
  public int present() {
    synchronized (hosts) {
      return present;
    }
  }

  /** From now on none enters: a listener may hand one over while it is being closed. */
  void end() {
    synchronized (hosts) {
      ended = true;
    }
  }

  /**
   * Lets a connection in; {@link #leave} must follow. Does not wait for the other end.
   *
   * @return false if there are too many, or this node ends; the connection is told so and closed,
   *     or closed
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

  /** Why a connection of a host cannot enter; null if it has. */
  private @Nullable String tryToEnter(@Nullable Object host) {
    synchronized (hosts) {
      if (ended) {
        return "it shuts down";
      }
      if (present >= maximum) {
        return "it serves its maximum of " + maximum + " (karmi.maxConnections)";
      }
      int[] ofHost = host == null ? null : hosts.computeIfAbsent(host, h -> new int[1]);
      if (ofHost != null && ofHost[0] >= maximumPerHost) {
        refusedOfHost++;
        return "it serves the maximum of "
            + maximumPerHost
            + " for one host (karmi.maxConnectionsPerHost)";
      }
      if (ofHost != null) {
        ofHost[0]++;
      }
      present++;
      return null;
    }
  }

  /** One that entered has ended, of a network without hosts. */
  public void leave() {
    leave(null);
  }

  /**
   * One that entered has ended. Needs no memory.
   *
   * @param host that of its {@link Arrival}
   */
  public void leave(@Nullable Object host) {
    synchronized (hosts) {
      present--;
      int[] ofHost = host == null ? null : hosts.get(host);
      if (ofHost != null && --ofHost[0] == 0) {
        hosts.remove(host);
      }
    }
  }

  /**
   * Says why a connection is refused. The watchdog closes it a little later: closed at once, with
   * bytes that are unread, it would be reset, and the reason lost. The buffer of a new socket has
   * room for the reason, so this does not wait, unless the socket has layers that do.
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

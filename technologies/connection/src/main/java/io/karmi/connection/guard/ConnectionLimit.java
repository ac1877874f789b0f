package io.karmi.connection.guard;

import io.karmi.connection.channel.Arrival;
import io.karmi.connection.channel.ConnectionLog;
import io.karmi.connection.channel.Introducer;
import io.karmi.connection.channel.OrderedByteChannel;
import io.karmi.guard.Ledger;
import io.karmi.guard.StuckThreads;
import io.karmi.technology.ConnectionSettings;
import io.karmi.technology.Workers;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Limit of the connections of others, from the moment they are accepted. It also bounds the threads
 * that serve them, and the calls that they bring. Where it is reached, the connection whose other
 * end has been waited for longest gives way to the newcomer. Thread-safe.
 */
public final class ConnectionLimit {
  /** Time for a refused peer to read the reason, in milliseconds. */
  private static final long FAREWELL_MILLIS = 1000;

  /**
   * Upper bound of refused peers that have this time, but no more than {@link #maximum}; others are
   * closed when they were told.
   */
  private static final int MAXIMUM_FAREWELLS = 64;

  /** Number of threads that send the reason where a socket may wait. */
  private static final int FAREWELL_THREADS = 8;

  /** With one in this many places free, it is looked at more often who may give way. */
  private static final int CROWDED_PART = 4;

  /**
   * Nanoseconds for which the other end must have been waited for, so that its connection gives
   * way: a caller that uses one after so long a pause {@linkplain OrderedByteChannel#sendAfterPause
   * notices} in time that it is closed.
   */
  public static final long LEAST_WAIT_NANOS = 20_000_000;

  private static final long WARNING_PAUSE_NANOS = 10_000_000_000L;

  private final Introducer introducer;
  private final int maximum;
  private final int maximumPerHost;
  private final Ledger ledger;
  private final Watchdog watchdog;
  private final Set<Slot> slots = ConcurrentHashMap.newKeySet();
  private final Workers workers = new Workers("KaRMI Refusal", FAREWELL_THREADS);
  private final AtomicInteger farewells = new AtomicInteger();

  /** Whether no connection enters any more. */
  private volatile boolean ended;

  private long refused;

  /** Number of those refused because of their host. */
  private long refusedOfHost;

  private long warnedAtNanos = System.nanoTime() - WARNING_PAUSE_NANOS;

  /**
   * A limit.
   *
   * @param files that a connection needs
   */
  public ConnectionLimit(
      Introducer introducer, ConnectionSettings settings, Watchdog watchdog, int files) {
    this.introducer = introducer;
    this.maximum = settings.maximumConnections(files);
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

  /** Whether so few places are free that it has to be known who may give way. */
  public boolean isCrowded() {
    return ledger.taken() >= maximum - maximum / CROWDED_PART;
  }

  /**
   * Lets a connection in. Does not wait for the other end.
   *
   * @return its place, which has to be {@linkplain Slot#giveBack given back}; null if there are too
   *     many, or this node ends: then the connection is closed, if possible after it was told so
   */
  public @Nullable Slot enter(Arrival connection) {
    Slot slot = new Slot(this, connection.host(), new Arrived(connection));
    String reason = tryToEnter(slot);
    if (reason == null) {
      return slot;
    }
    refuse(connection, reason);
    return null;
  }

  /**
   * Ends an arrival that could not be served: its other end is told why if others were given its
   * place before this end {@linkplain Slot#answer answered}.
   */
  public void dismiss(Arrival connection, Slot slot) {
    boolean refused = false;
    try {
      String reason = slot.giveBack() ? null : slot.refusal();
      if (reason != null) {
        refuse(connection, reason);
        refused = true;
      }
    } finally {
      if (!refused) {
        closeQuietly(connection); // for want of memory, too
      }
    }
  }

  /** Gives a connection its place; returns why it cannot have one, or null if it has. */
  private @Nullable String tryToEnter(Slot slot) {
    Object host = slot.host();
    while (!ended) {
      Ledger.Outcome outcome = ledger.take(host, 1);
      if (outcome == Ledger.Outcome.TAKEN) {
        boolean entered = false;
        try {
          entered = slots.add(slot);
        } finally {
          if (!entered) {
            ledger.giveBack(host, 1);
          }
        }
        return null;
      }
      boolean ofHost = outcome == Ledger.Outcome.HOST_IS_FULL;
      String reason = ofHost ? refusalOfHost() : refusal();
      if (!makeRoom(ofHost ? host : fullestHost(), reason)) {
        if (ofHost) {
          countOfHost();
        }
        return reason;
      }
    }
    return "it shuts down";
  }

  /** Called once for each place that is given back. Needs no memory. */
  void left(Slot slot) {
    try {
      slots.remove(slot);
    } finally {
      ledger.giveBack(slot.host(), 1);
    }
  }

  /**
   * Has the connection of a host give way that has been waited for longest.
   *
   * @param reason why it has to
   * @return false if there is none
   */
  private boolean makeRoom(@Nullable Object host, String reason) {
    watchdog.hurry();
    long now = System.nanoTime();
    long longest = 0;
    Slot found = null;
    for (Slot each : slots) {
      long waited = Objects.equals(host, each.host()) ? each.waitedNanos(now) : 0;
      if (waited > longest) {
        longest = waited;
        found = each;
      }
    }
    return found != null && found.giveWay(reason + "; others came while it waited for this one");
  }

  /** The host that has most connections; null in a network without hosts. */
  private @Nullable Object fullestHost() {
    Map<@Nullable Object, Integer> counts = new HashMap<>();
    Object fullest = null;
    int most = 0;
    for (Slot each : slots) {
      int count = counts.merge(each.host(), 1, Integer::sum);
      if (count > most) {
        most = count;
        fullest = each.host();
      }
    }
    return fullest;
  }

  /** A connection whose ends have not introduced themselves, or not shown all that they have to. */
  private final class Arrived implements Slot.Occupant {
    private final Arrival connection;
    private final long sinceNanos = System.nanoTime();

    Arrived(Arrival connection) {
      this.connection = connection;
    }

    @Override
    public String peerName() {
      return String.valueOf(connection.host());
    }

    @Override
    public long waitedNanos(long now) {
      long waited = now - sinceNanos;
      return waited >= LEAST_WAIT_NANOS ? waited : 0;
    }

    /** Its own thread, which waits for it, {@linkplain #dismiss dismisses} it then. */
    @Override
    public void giveWay(String reason) {
      workers.execute(
          () -> {
            try {
              connection.endInput();
            } catch (IOException e) {
              closeQuietly(connection);
            }
          });
    }
  }

  private String refusal() {
    return "it serves its maximum of " + maximum + " (karmi.maxConnections)" + stuck();
  }

  private String refusalOfHost() {
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

  private void refuse(Arrival connection, String reason) {
    warn(reason);
    if (!connection.mayWait()) {
      tell(connection, reason);
    } else if (workers.waitingTasks() < MAXIMUM_FAREWELLS) {
      workers.execute(() -> tell(connection, reason));
    } else {
      closeQuietly(connection);
    }
  }

  /**
   * Tells the other end why its connection is refused, and closes it, a little later if that can
   * be: closed at once, with bytes that are unread, it is reset, and the reason may be lost. The
   * buffer of a new socket has room for the reason, so this does not wait, unless the socket has
   * layers that do.
   */
  private void tell(Arrival connection, String reason) {
    Closeable farewell =
        () -> {
          farewells.decrementAndGet();
          connection.close();
        };
    boolean lingers = false;
    boolean told = false;
    try {
      if (farewells.incrementAndGet() <= Math.min(MAXIMUM_FAREWELLS, maximum)) {
        watchdog.expect(farewell, FAREWELL_MILLIS);
        lingers = true;
      }
      connection.refuse(introducer, reason);
      connection.endOutput();
      told = true;
    } catch (IOException e) {
      ConnectionLog.LOG.log(System.Logger.Level.DEBUG, "a refused peer was not told why", e);
    } finally {
      if (!lingers || !told && watchdog.isOpen(farewell, FAREWELL_MILLIS)) {
        closeQuietly(farewell);
      }
    }
  }

  private static void closeQuietly(Closeable connection) {
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

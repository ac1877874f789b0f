package io.karmi.connection.pool;

import io.karmi.connection.call.CallConnection;
import io.karmi.connection.call.ConnectionWatch;
import io.karmi.connection.guard.HeapRoom;
import io.karmi.events.Recorder;
import io.karmi.guard.HostRates;
import io.karmi.technology.ConnectionSettings;
import io.karmi.technology.PeerCalls;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Open connections of a node, and counters of their traffic. Thread-safe. */
public final class Connections {
  /** A host that was silent may send what it may send in such a part of a second, at once. */
  private static final int BURST_PART_OF_SECOND = 4;

  /**
   * Replies that are not taken may have one in this many bytes of the largest heap at all times.
   */
  private static final int UNTAKEN_PART_OF_HEAP = 8;

  /** Upper bound of the peers whose calls are counted for each; those of others together. */
  private static final int MAXIMUM_PEERS = 1_000;

  private static final String OTHERS = "others";

  private final Set<CallConnection> accepted = ConcurrentHashMap.newKeySet();
  private final Set<CallConnection> opened = ConcurrentHashMap.newKeySet();

  /** Held while a connection leaves its set for the sums: who reads sees it in one of the two. */
  private final Object counting = new Object();

  /** Calls over connections that have ended. */
  private final LongAdder callsMade = new LongAdder();

  private final LongAdder callsServed = new LongAdder();
  private final LongAdder callsLost = new LongAdder();
  private final LongAdder callsFailed = new LongAdder();
  private final LongAdder bytesReceived = new LongAdder();
  private final LongAdder bytesSent = new LongAdder();

  /** Calls over connections that have ended, by peer. */
  private final Map<String, PeerCalls> ended = new ConcurrentHashMap<>();

  /** Number of connections that were closed, by setting. */
  private final Map<String, Long> closedBy = new ConcurrentHashMap<>();

  private final @Nullable HostRates rates;

  /** An empty set. */
  public Connections(ConnectionSettings settings) {
    long bytes = settings.maximumBytesPerSecondPerHost;
    rates = bytes == 0 ? null : new HostRates(bytes, (double) bytes / BURST_PART_OF_SECOND);
  }

  /**
   * Adds a connection that this node has opened; it tells when it {@linkplain #closed is closed}.
   */
  public void opened(CallConnection connection) {
    opened.add(connection);
    note(connection, false, true);
  }

  /** Removes a connection that this node has opened. */
  public void closed(CallConnection connection) {
    if (leaves(opened, connection)) {
      note(connection, false, false);
    }
  }

  /** Adds a connection that another node has opened; {@link #ended} must follow. */
  public void accepted(CallConnection connection) {
    accepted.add(connection);
    Object host = connection.host();
    if (rates != null && host != null) {
      connection.frameIn.limit(rates.enter(host), connection::isClosed);
    }
    note(connection, true, true);
  }

  void ended(CallConnection connection) {
    if (leaves(accepted, connection)) {
      Object host = connection.host();
      if (rates != null && host != null && connection.frameIn.isLimited()) {
        rates.leave(host);
      }
      note(connection, true, false);
    }
  }

  /**
   * Adds a connection of a host that carries messages; returns the limit of the host's rate, or
   * null.
   */
  public HostRates.@Nullable HostRate messagesBegin(@Nullable Object host) {
    return rates == null || host == null ? null : rates.enter(host);
  }

  /** Removes such a connection, which has ended. */
  public void messagesEnd(@Nullable Object host) {
    if (rates != null && host != null) {
      rates.leave(host);
    }
  }

  private static void note(CallConnection connection, boolean accepted, boolean begins) {
    Recorder.instance()
        .connection(connection.technology(), connection.peerName(), accepted, begins);
  }

  private boolean leaves(Set<CallConnection> open, CallConnection connection) {
    synchronized (counting) {
      boolean present = open.remove(connection);
      if (present) {
        count(connection);
      }
      return present;
    }
  }

  private void count(CallConnection connection) {
    PeerCalls calls = callsOf(connection);
    String peer =
        ended.size() < MAXIMUM_PEERS || ended.containsKey(calls.peer()) ? calls.peer() : OTHERS;
    ended.merge(peer, new PeerCalls(peer, calls.made(), calls.served()), PeerCalls::plus);
    callsMade.add(connection.outgoing.callsMade);
    callsServed.add(connection.incoming.callsServed);
    callsLost.add(connection.outgoing.callsLost);
    callsFailed.add(connection.incoming.callsFailed);
    bytesReceived.add(connection.frameIn.receivedBytes());
    bytesSent.add(connection.frameOut.sentBytes());
    if (connection.frameIn.isTooLong()) {
      closedBy("karmi.maxMessageBytes");
    }
  }

  /** Counts a connection that was closed because of a setting. */
  public void closedBy(String setting) {
    closedBy.merge(setting, 1L, Long::sum);
  }

  private void forEach(Consumer<CallConnection> action) {
    opened.forEach(action);
    accepted.forEach(action);
  }

  /** The number of connections that this node has opened. */
  public int openedCount() {
    return opened.size();
  }

  /** The number of open connections of others. */
  public int acceptedCount() {
    return accepted.size();
  }

  /**
   * Their traffic since the start, and the numbers of open ones, in a new map that may be modified.
   */
  public Map<String, Long> counters() {
    Map<String, Long> counters = new LinkedHashMap<>();
    counters.put("callsMade", sum(callsMade, each -> each.outgoing.callsMade));
    counters.put("callsMade.lost", sum(callsLost, each -> each.outgoing.callsLost));
    counters.put("callsServed", sum(callsServed, each -> each.incoming.callsServed));
    counters.put("callsServed.failed", sum(callsFailed, each -> each.incoming.callsFailed));
    counters.put("bytesReceived", sum(bytesReceived, each -> each.frameIn.receivedBytes()));
    counters.put("bytesSent", sum(bytesSent, each -> each.frameOut.sentBytes()));
    counters.put("connectionsOpened", (long) opened.size());
    new TreeMap<>(closedBy).forEach((setting, count) -> counters.put("closed." + setting, count));
    return counters;
  }

  /** Calls by peer since the start. */
  public Collection<PeerCalls> callsByPeer() {
    synchronized (counting) {
      Map<String, PeerCalls> calls = new HashMap<>(ended);
      forEach(each -> calls.merge(each.peerName(), callsOf(each), PeerCalls::plus));
      return calls.values();
    }
  }

  private static PeerCalls callsOf(CallConnection connection) {
    return new PeerCalls(
        connection.peerName(), connection.outgoing.callsMade, connection.incoming.callsServed);
  }

  private long sum(LongAdder ofEnded, ToLongFunction<CallConnection> ofOpen) {
    synchronized (counting) {
      long[] sum = {ofEnded.sum()};
      forEach(each -> sum[0] += ofOpen.applyAsLong(each));
      return sum[0];
    }
  }

  /** Releases callers that were interrupted. */
  public void releaseInterrupted() {
    opened.forEach(each -> each.watch.releaseInterrupted());
    accepted.forEach(each -> each.watch.releaseInterrupted());
  }

  /** Gives up calls whose deadline has passed; true if others have one. */
  public boolean giveUpOverdue(long now) {
    boolean limited = false;
    for (CallConnection each : opened) {
      limited |= each.watch.giveUpOverdue(now);
    }
    for (CallConnection each : accepted) {
      limited |= each.watch.giveUpOverdue(now);
    }
    return limited;
  }

  /** Closes connections of others that keep this node waiting for too long. */
  public void closeStalled(long now, ConnectionSettings settings) {
    for (CallConnection each : accepted) {
      String setting = each.watch.closeStalled(now, settings);
      if (setting != null) {
        closedBy(setting);
      }
    }
    if (rates != null) {
      rates.purge();
    }
  }

  /** Looks at all that may have to give way. */
  public void look(long now) {
    accepted.forEach(each -> each.watch.look(now));
  }

  /**
   * Closes connections whose callers do not take long replies, the largest first, while the heap is
   * short and these replies have more than their part of it.
   */
  public void closeUntaken(long now) {
    while (true) {
      long all = 0;
      long most = 0;
      CallConnection found = null;
      for (CallConnection each : accepted) {
        long bytes = each.watch.untakenBytes(now, ConnectionWatch.STUCK_NANOS / 1_000_000);
        all += bytes;
        if (bytes > most) {
          most = bytes;
          found = each;
        }
      }
      long allowed = Runtime.getRuntime().maxMemory() / UNTAKEN_PART_OF_HEAP;
      if (found == null || all <= allowed || !HeapRoom.isShort()) {
        return;
      }
      found.watch.giveUpReply(most);
    }
  }

  /** Gives up calls whose callee's process shows no sign of life. */
  public void closeSilent(long now, ConnectionSettings settings) {
    for (CallConnection each : opened) {
      each.watch.closeSilent(now, settings);
    }
    for (CallConnection each : accepted) {
      each.watch.closeSilent(now, settings);
    }
  }

  /** The number of connections that have to give a sign of life; {@link #forEachDue} has them. */
  int dueSigns(long now) {
    int due = 0;
    for (CallConnection each : accepted) {
      due += each.watch.isSignDue(now) ? 1 : 0;
    }
    for (CallConnection each : opened) {
      due += each.watch.isSignDue(now) ? 1 : 0;
    }
    return due;
  }

  /** Takes the connections that have to give a sign of life, each by one thread. */
  void forEachDue(Consumer<CallConnection> action) {
    for (CallConnection each : accepted) {
      if (each.watch.takeDueSign()) {
        action.accept(each);
      }
    }
    for (CallConnection each : opened) {
      if (each.watch.takeDueSign()) {
        action.accept(each);
      }
    }
  }

  /** The lines of this node: connections without calls, by which other nodes notice its end. */
  public void forEachLine(Consumer<CallConnection> action) {
    for (CallConnection each : opened) {
      if (each.outgoing.isLine()) {
        action.accept(each);
      }
    }
  }

  /**
   * Ends the service of other nodes' connections: none carries a further call.
   *
   * @return those to be {@linkplain CallConnection#sayFarewell told} so
   */
  public Queue<CallConnection> endAccepted() {
    accepted.forEach(CallConnection::end);
    return new ConcurrentLinkedQueue<>(accepted);
  }

  /** The number of connections of others that carry a call. */
  public int running() {
    int running = 0;
    for (CallConnection each : accepted) {
      running += each.isBetweenCalls() ? 0 : 1;
    }
    return running;
  }

  /** Closes all of them. */
  public void closeAll() {
    opened.forEach(CallConnection::close);
    accepted.forEach(CallConnection::close);
  }
}

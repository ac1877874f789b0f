package io.karmi.connection;

import io.karmi.events.Recorder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** The connections of a node that are open, and what they have carried. Thread-safe. */
public final class Connections {
  private final Set<CallConnection> accepted = ConcurrentHashMap.newKeySet();
  private final Set<CallConnection> opened = ConcurrentHashMap.newKeySet();

  /** Of connections that have ended. */
  private final LongAdder callsMade = new LongAdder();

  private final LongAdder callsServed = new LongAdder();

  /** One that this node has opened; it tells when it {@linkplain #closed is closed}. */
  void opened(CallConnection connection) {
    opened.add(connection);
    Recorder.instance().connection(connection.peerName(), false, true);
  }

  void closed(CallConnection connection) {
    if (opened.remove(connection)) {
      count(connection);
      Recorder.instance().connection(connection.peerName(), false, false);
    }
  }

  /** One that another node has opened; {@link #ended} must follow. */
  void accepted(CallConnection connection) {
    accepted.add(connection);
    Recorder.instance().connection(connection.peerName(), true, true);
  }

  void ended(CallConnection connection) {
    if (accepted.remove(connection)) {
      count(connection);
      Recorder.instance().connection(connection.peerName(), true, false);
    }
  }

  private void count(CallConnection connection) {
    callsMade.add(connection.outgoing.callsMade);
    callsServed.add(connection.incoming.callsServed);
  }

  /** How many of others are open. */
  public int acceptedCount() {
    return accepted.size();
  }

  /** Calls since the start, and connections that this node has opened; new and modifiable. */
  Map<String, Long> counters() {
    long made = callsMade.sum();
    long served = callsServed.sum();
    for (CallConnection each : opened) {
      made += each.outgoing.callsMade;
      served += each.incoming.callsServed;
    }
    for (CallConnection each : accepted) {
      made += each.outgoing.callsMade;
      served += each.incoming.callsServed;
    }
    Map<String, Long> counters = new LinkedHashMap<>();
    counters.put("callsMade", made);
    counters.put("callsServed", served);
    counters.put("connectionsOpened", (long) opened.size());
    return counters;
  }

  /** Releases callers that were interrupted. */
  void releaseInterrupted() {
    opened.forEach(CallConnection::releaseInterrupted);
    accepted.forEach(CallConnection::releaseInterrupted);
  }

  /** Gives up calls whose deadline has passed; true if others have one. */
  boolean giveUpOverdue(long now) {
    boolean limited = false;
    for (CallConnection each : opened) {
      limited |= each.giveUpOverdue(now);
    }
    for (CallConnection each : accepted) {
      limited |= each.giveUpOverdue(now);
    }
    return limited;
  }

  /** Closes connections of others that keep this node waiting for too long. */
  void closeStalled(long now, ConnectionSettings settings) {
    accepted.forEach(connection -> connection.closeStalled(now, settings));
  }

  /** Gives up calls whose callee's process shows no sign of life. */
  void closeSilent(long now, ConnectionSettings settings) {
    opened.forEach(connection -> connection.closeSilent(now, settings));
    accepted.forEach(connection -> connection.closeSilent(now, settings));
  }

  /** How many connections have to give a sign of life; {@link #forEachDue} shows which. */
  int dueSigns(long now) {
    int due = 0;
    for (CallConnection each : accepted) {
      due += each.isSignDue(now) ? 1 : 0;
    }
    for (CallConnection each : opened) {
      due += each.isSignDue(now) ? 1 : 0;
    }
    return due;
  }

  /** Each connection is shown to one thread. */
  void forEachDue(Consumer<CallConnection> action) {
    for (CallConnection each : accepted) {
      if (each.takeDueSign()) {
        action.accept(each);
      }
    }
    for (CallConnection each : opened) {
      if (each.takeDueSign()) {
        action.accept(each);
      }
    }
  }

  /** The connections of this node that carry no calls, so that their other ends miss it. */
  void forEachLine(Consumer<CallConnection> action) {
    for (CallConnection each : opened) {
      if (each.outgoing.isLine()) {
        action.accept(each);
      }
    }
  }

  void closeAll() {
    opened.forEach(CallConnection::close);
    accepted.forEach(CallConnection::close);
  }
}

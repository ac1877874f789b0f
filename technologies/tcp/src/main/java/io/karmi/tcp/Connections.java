package io.karmi.tcp;

import io.karmi.events.Recorder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** The connections of a node that are open, and what they have carried. Thread-safe. */
final class Connections {
  private final Set<Connection> accepted = ConcurrentHashMap.newKeySet();
  private final Set<Connection> opened = ConcurrentHashMap.newKeySet();

  /** Of connections that have ended. */
  private final LongAdder callsMade = new LongAdder();

  private final LongAdder callsServed = new LongAdder();

  /** One that this node has opened; it tells when it {@linkplain #closed is closed}. */
  void opened(Connection connection) {
    opened.add(connection);
    Recorder.instance().connection(connection.clientHost(), false, true);
  }

  void closed(Connection connection) {
    if (opened.remove(connection)) {
      count(connection);
      Recorder.instance().connection(connection.clientHost(), false, false);
    }
  }

  /** One that another node has opened; {@link #ended} must follow. */
  void accepted(Connection connection) {
    accepted.add(connection);
    Recorder.instance().connection(connection.clientHost(), true, true);
  }

  void ended(Connection connection) {
    if (accepted.remove(connection)) {
      count(connection);
      Recorder.instance().connection(connection.clientHost(), true, false);
    }
  }

  private void count(Connection connection) {
    callsMade.add(connection.calling.callsMade);
    callsServed.add(connection.serving.callsServed);
  }

  /** How many of others are open. */
  int acceptedCount() {
    return accepted.size();
  }

  /** Calls since the start, and connections that this node has opened; new and modifiable. */
  Map<String, Long> counters() {
    long made = callsMade.sum();
    long served = callsServed.sum();
    for (Connection each : opened) {
      made += each.calling.callsMade;
      served += each.serving.callsServed;
    }
    for (Connection each : accepted) {
      made += each.calling.callsMade;
      served += each.serving.callsServed;
    }
    Map<String, Long> counters = new LinkedHashMap<>();
    counters.put("callsMade", made);
    counters.put("callsServed", served);
    counters.put("connectionsOpened", (long) opened.size());
    return counters;
  }

  /** Releases callers that were interrupted. */
  void releaseInterrupted() {
    opened.forEach(Connection::releaseInterrupted);
    accepted.forEach(Connection::releaseInterrupted);
  }

  /** Closes connections of others on which nothing has come for so long; 0 is for ever. */
  void closeStalled(long now, long timeoutNanos) {
    if (timeoutNanos > 0) {
      accepted.forEach(connection -> connection.closeStalled(now, timeoutNanos));
    }
  }

  void closeAll() {
    opened.forEach(Connection::close);
    accepted.forEach(Connection::close);
  }
}

package io.karmi.messaging;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counters of a node's messaging since it began. Thread-safe. */
final class Counts {
  final LongAdder sent = new LongAdder();
  final LongAdder received = new LongAdder();
  final LongAdder unread = new LongAdder();
  final LongAdder refused = new LongAdder();
  final LongAdder unhandled = new LongAdder();
  final LongAdder failedHandlers = new LongAdder();
  final LongAdder requests = new LongAdder();
  final LongAdder requestsTimedOut = new LongAdder();
  final LongAdder sentBytes = new LongAdder();
  final LongAdder receivedBytes = new LongAdder();
  final LongAdder linksOpened = new LongAdder();
  final LongAdder linksLost = new LongAdder();
  final LongAdder linksRefused = new LongAdder();

  /** The counters by name. */
  Map<String, Long> all() {
    Map<String, Long> counters = new LinkedHashMap<>();
    counters.put("messagesSent", sent.sum());
    counters.put("messagesReceived", received.sum());
    counters.put("messagesUnread", unread.sum());
    counters.put("messagesRefused", refused.sum());
    counters.put("messagesUnhandled", unhandled.sum());
    counters.put("handlersFailed", failedHandlers.sum());
    counters.put("requests", requests.sum());
    counters.put("requestsTimedOut", requestsTimedOut.sum());
    counters.put("bytesSent", sentBytes.sum());
    counters.put("bytesReceived", receivedBytes.sum());
    counters.put("linksOpened", linksOpened.sum());
    counters.put("linksLost", linksLost.sum());
    counters.put("linksRefused", linksRefused.sum());
    return counters;
  }
}

package io.karmi.messaging.link;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counters of a node's messaging since it began. Thread-safe. */
public final class Counts {
  public final LongAdder sent = new LongAdder();
  public final LongAdder received = new LongAdder();
  public final LongAdder unread = new LongAdder();
  public final LongAdder refused = new LongAdder();
  public final LongAdder unhandled = new LongAdder();
  public final LongAdder failedHandlers = new LongAdder();
  public final LongAdder requests = new LongAdder();
  public final LongAdder requestsTimedOut = new LongAdder();
  public final LongAdder sentBytes = new LongAdder();
  public final LongAdder receivedBytes = new LongAdder();
  public final LongAdder linksOpened = new LongAdder();
  public final LongAdder linksLost = new LongAdder();
  public final LongAdder linksRefused = new LongAdder();

  /** The counters by name. */
  public Map<String, Long> all() {
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

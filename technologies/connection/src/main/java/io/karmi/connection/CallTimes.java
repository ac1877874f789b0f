package io.karmi.connection;

import java.util.Map;

/** Durations of a technology's calls, where they are recorded. Thread-safe. */
final class CallTimes {
  /** Calls of this node: from before marshalling until the reply has begun to come. */
  final LatencyHistogram made = new LatencyHistogram();

  /** Calls of others: from when a call has begun to come until its reply has been sent. */
  final LatencyHistogram served = new LatencyHistogram();

  /** Adds the recorded times to counters. */
  void addTo(Map<String, Long> counters) {
    add(counters, "callsMade", made);
    add(counters, "callsServed", served);
  }

  private static void add(Map<String, Long> counters, String what, LatencyHistogram times) {
    counters.put(what + ".p50Nanos", times.percentile(0.5));
    counters.put(what + ".p99Nanos", times.percentile(0.99));
    counters.put(what + ".p999Nanos", times.percentile(0.999));
    counters.put(what + ".maxNanos", times.maximum());
  }
}

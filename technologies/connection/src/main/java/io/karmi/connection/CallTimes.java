package io.karmi.connection;

import java.util.Map;

/** How long the calls of a technology took, where that is asked for. Thread-safe. */
final class CallTimes {
  /** From before a call is marshalled until its reply has begun to come. */
  final LatencyHistogram made = new LatencyHistogram();

  /** From when a call has begun to come until its reply has been sent. */
  final LatencyHistogram served = new LatencyHistogram();

  /** Adds what there is to counters. */
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

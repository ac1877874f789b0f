package io.karmi.benchmarks.messaging;

import io.karmi.benchmarks.measure.Percentiles;
import java.util.Arrays;

/**
 * Times from when messages were to be sent, by the clock that all processes of a machine share,
 * until they have arrived. They begin anew with the first message after a look. Thread-safe.
 */
final class Delays {
  private final long[] nanos = new long[1 << 20];
  private int count;
  private boolean seen;

  /** A message has arrived. */
  synchronized void arrived(long dueNanos) {
    if (seen) {
      seen = false;
      count = 0;
    }
    nanos[count++ % nanos.length] = System.nanoTime() - dueNanos;
  }

  /** The time below which a number of a thousand messages lie, by nearest rank, in nanoseconds. */
  synchronized long rank(int perMille) {
    seen = true;
    long[] sorted = Arrays.copyOf(nanos, Math.min(count, nanos.length));
    Arrays.sort(sorted);
    return (long) Percentiles.rank(sorted, perMille / 1000.0);
  }
}

package io.karmi.connection;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Histogram of the durations of calls: a count for each range of times, the ranges growing with the
 * times.
 *
 * <p>Each power of two is divided into 32 ranges, so that a result is at most a 32nd too long.
 * There are several rows of counts: connections that record at the same time mostly use different
 * ones. Recording allocates nothing and takes no lock. Thread-safe.
 */
final class LatencyHistogram {
  private static final int SUB_BITS = 5;
  private static final int SUB_COUNT = 1 << SUB_BITS;

  /** Longer times, from 2^42 ns or 73 minutes on, count as that long. */
  private static final int MOST_BITS = 42;

  private static final int RANGES = (MOST_BITS - SUB_BITS + 1) * SUB_COUNT;
  private static final int ROWS = 4;

  /** Index of the longest time, behind the counts of each row. */
  private static final int MAXIMUM_AT = RANGES;

  private final AtomicLongArray[] rows = new AtomicLongArray[ROWS];

  LatencyHistogram() {
    for (int i = 0; i < ROWS; i++) {
      rows[i] = new AtomicLongArray(RANGES + 1);
    }
  }

  /**
   * Counts a time.
   *
   * @param recorder any number, the same one for all that is recorded in one thread
   */
  void record(int recorder, long nanos) {
    AtomicLongArray row = rows[recorder & ROWS - 1];
    row.getAndIncrement(range(nanos));
    long longest = row.get(MAXIMUM_AT);
    while (nanos > longest && !row.compareAndSet(MAXIMUM_AT, longest, nanos)) {
      longest = row.get(MAXIMUM_AT);
    }
  }

  private static int range(long nanos) {
    if (nanos < SUB_COUNT) {
      return (int) Math.max(0, nanos);
    }
    int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
    if (exponent >= MOST_BITS) {
      return RANGES - 1;
    }
    int shift = exponent - SUB_BITS;
    return (shift << SUB_BITS) + (int) (nanos >>> shift);
  }

  /** The longest time of a range. */
  private static long end(int range) {
    int shift = Math.max(0, (range >> SUB_BITS) - 1);
    return (range - ((long) shift << SUB_BITS) + 1 << shift) - 1;
  }

  /** The longest time that was counted; 0 if none was. */
  long maximum() {
    long maximum = 0;
    for (AtomicLongArray row : rows) {
      maximum = Math.max(maximum, row.get(MAXIMUM_AT));
    }
    return maximum;
  }

  /**
   * A time that a share of the calls did not exceed; 0 if none was counted.
   *
   * @param share from 0 to 1
   */
  long percentile(double share) {
    long[] counts = new long[RANGES];
    long all = 0;
    for (AtomicLongArray row : rows) {
      for (int i = 0; i < RANGES; i++) {
        counts[i] += row.get(i);
        all += row.get(i);
      }
    }
    long wanted = Math.max(1, (long) Math.ceil(all * share));
    long maximum = maximum();
    for (int i = 0; i < RANGES; i++) {
      wanted -= counts[i];
      if (wanted <= 0) {
        return Math.min(maximum, end(i));
      }
    }
    return maximum;
  }
}

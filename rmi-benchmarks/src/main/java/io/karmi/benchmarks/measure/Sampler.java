package io.karmi.benchmarks.measure;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Measures a {@link Kernel}: first that it is right, then how long it takes, then, in phases of
 * their own, what it allocates and what it sends.
 */
public final class Sampler {
  /** Bytes that the server has allocated so far. */
  @FunctionalInterface
  public interface ServerBytes {
    long get() throws Exception;
  }

  /** Reads a counter that goes up. */
  @FunctionalInterface
  private interface Counter {
    long read() throws Exception;
  }

  private static final int MOST_SAMPLES = 200_000;
  private static final int LEAST_SAMPLES = 5;
  private static final int COUNTED_CALLS = 1_000;

  private final ServerBytes serverBytes;

  public Sampler(ServerBytes serverBytes) {
    this.serverBytes = serverBytes;
  }

  /** Checks {@code kernel}, and measures it as {@code task} says. */
  public Measurement measure(Kernel kernel, Task task) throws Exception {
    String observation = kernel.check();
    sample(kernel, TimeUnit.MILLISECONDS.toNanos(task.warmUpMillis()));
    long[] nanos = sample(kernel, TimeUnit.MILLISECONDS.toNanos(task.measureMillis()));
    double allocated = Measurement.UNCOUNTED;
    double wire = Measurement.UNCOUNTED;
    if (task.counted()) {
      allocated = perCall(kernel, () -> ProcessCounters.allocatedBytes() + serverBytes.get());
      if (ProcessCounters.transferredBytes() >= 0) {
        wire = perCall(kernel, ProcessCounters::transferredBytes);
      }
    }
    Arrays.sort(nanos);
    return new Measurement(
        kernel.name(),
        percentile(nanos, 50) / kernel.callsPerRun(),
        percentile(nanos, 99) / kernel.callsPerRun(),
        allocated,
        wire,
        observation);
  }

  private static long[] sample(Kernel kernel, long budgetNanos) throws Exception {
    long[] nanos = new long[MOST_SAMPLES];
    int count = 0;
    long end = System.nanoTime() + budgetNanos;
    long before = System.nanoTime();
    while (count < LEAST_SAMPLES || (before < end && count < MOST_SAMPLES)) {
      kernel.run();
      long after = System.nanoTime();
      nanos[count++] = after - before;
      before = after;
    }
    return Arrays.copyOf(nanos, count);
  }

  /** How much {@code counter} rises per call; what reading it costs is measured and taken off. */
  private static double perCall(Kernel kernel, Counter counter) throws Exception {
    int runs = Math.max(1, COUNTED_CALLS / kernel.callsPerRun());
    counter.read();
    long idle = counter.read();
    long start = counter.read();
    for (int i = 0; i < runs; i++) {
      kernel.run();
    }
    long end = counter.read();
    return Math.max(0, (end - start) - (start - idle)) / ((double) runs * kernel.callsPerRun());
  }

  /** The value below which {@code percent} of the sorted values lie (nearest rank). */
  static double percentile(long[] sorted, int percent) {
    int rank = (int) Math.ceil(percent / 100.0 * sorted.length);
    return sorted[Math.max(1, rank) - 1];
  }
}

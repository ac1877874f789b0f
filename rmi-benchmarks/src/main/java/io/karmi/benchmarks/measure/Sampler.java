package io.karmi.benchmarks.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * Measures a {@link Kernel}: first that it is right, then how long it takes, in one thread or in
 * several at once, then, in phases of their own and in one thread, what it allocates and what it
 * sends.
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
    return measure(List.of(kernel), "", task);
  }

  /** The same for equal kernels, each in a thread of its own. */
  Measurement measure(List<Kernel> kernels, String suffix, Task task) throws Exception {
    Kernel kernel = kernels.get(0);
    String observation = kernel.check();
    sample(kernels, TimeUnit.MILLISECONDS.toNanos(task.warmUpMillis()));
    long[] nanos = sample(kernels, TimeUnit.MILLISECONDS.toNanos(task.measureMillis()));
    double allocated = Measurement.UNCOUNTED;
    double sent = Measurement.UNCOUNTED;
    double received = Measurement.UNCOUNTED;
    if (task.counted()) {
      allocated = perCall(kernel, () -> ProcessCounters.allocatedBytes() + serverBytes.get());
      if (ProcessCounters.sentBytes() >= 0) {
        sent = perCall(kernel, ProcessCounters::sentBytes);
        received = perCall(kernel, ProcessCounters::receivedBytes);
      }
    }
    Arrays.sort(nanos);
    return new Measurement(
        kernel.name() + suffix,
        percentile(nanos, 50) / kernel.callsPerRun(),
        percentile(nanos, 99) / kernel.callsPerRun(),
        allocated,
        sent,
        received,
        observation);
  }

  private static long[] sample(List<Kernel> kernels, long budgetNanos) throws Exception {
    if (kernels.size() == 1) {
      return sample(kernels.get(0), budgetNanos);
    }
    ExecutorService threads = Executors.newFixedThreadPool(kernels.size());
    try {
      CyclicBarrier start = new CyclicBarrier(kernels.size());
      List<Future<long[]>> samples = new ArrayList<>();
      for (Kernel kernel : kernels) {
        samples.add(
            threads.submit(
                () -> {
                  start.await();
                  return sample(kernel, budgetNanos);
                }));
      }
      LongStream.Builder all = LongStream.builder();
      for (Future<long[]> sample : samples) {
        Arrays.stream(sample.get()).forEach(all);
      }
      return all.build().toArray();
    } finally {
      threads.shutdown();
    }
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

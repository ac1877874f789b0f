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
 * several at once, then, in a phase of its own and in one thread, what it allocates and what it
 * sends.
 */
public final class Sampler {
  /** Bytes that the server has allocated so far. */
  @FunctionalInterface
  public interface ServerBytes {
    long get() throws Exception;
  }

  /** What a call takes, or counters that go up: bytes allocated, sent, received. */
  private record Counts(double allocated, double sent, double received) {
    static final Counts NONE =
        new Counts(Measurement.UNCOUNTED, Measurement.UNCOUNTED, Measurement.UNCOUNTED);
  }

  private static final int MOST_SAMPLES = 200_000;
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
    Counts counts = task.counted() ? perCall(kernel) : Counts.NONE;
    Arrays.sort(nanos);
    return new Measurement(
        kernel.name() + suffix,
        percentile(nanos, 50) / kernel.callsPerRun(),
        percentile(nanos, 99) / kernel.callsPerRun(),
        counts.allocated(),
        counts.sent(),
        counts.received(),
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
    while (count == 0 || (before < end && count < MOST_SAMPLES)) {
      kernel.run();
      long after = System.nanoTime();
      nanos[count++] = after - before;
      before = after;
    }
    return Arrays.copyOf(nanos, count);
  }

  /** How much the counters rise per call; what reading them costs is measured and taken off. */
  private Counts perCall(Kernel kernel) throws Exception {
    int runs = Math.max(1, COUNTED_CALLS / kernel.callsPerRun());
    read();
    Counts idle = read();
    Counts start = read();
    for (int i = 0; i < runs; i++) {
      kernel.run();
    }
    Counts end = read();
    double calls = (double) runs * kernel.callsPerRun();
    return new Counts(
        risen(idle.allocated(), start.allocated(), end.allocated()) / calls,
        start.sent() < 0
            ? Measurement.UNCOUNTED
            : risen(idle.sent(), start.sent(), end.sent()) / calls,
        start.received() < 0
            ? Measurement.UNCOUNTED
            : risen(idle.received(), start.received(), end.received()) / calls);
  }

  private Counts read() throws Exception {
    return new Counts(
        ProcessCounters.allocatedBytes() + serverBytes.get(),
        ProcessCounters.sentBytes(),
        ProcessCounters.receivedBytes());
  }

  private static double risen(double idle, double start, double end) {
    return Math.max(0, end - start - (start - idle));
  }

  /** The value below which {@code percent} of the sorted values lie (nearest rank). */
  static double percentile(long[] sorted, int percent) {
    int rank = (int) Math.ceil(percent / 100.0 * sorted.length);
    return sorted[Math.max(1, rank) - 1];
  }
}

package io.karmi.benchmarks.measure;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * Measures a {@link Kernel}: first that it is right, then how long it takes, in one thread or in
 * several at once, then, in a phase of its own and in one thread, what it allocates, what processor
 * time it takes and what it sends.
 *
 * <p>A thorough task is warmed up until it is stable: until the medians of three slices in a row
 * are within 5 % of each other. That takes at least the time the task gives, and at most four times
 * it.
 */
public final class Sampler {
  /** What a call takes, or counters that go up. */
  private record Counts(double allocated, double cpu, double sent, double received) {
    static final Counts NONE =
        new Counts(
            Measurement.UNCOUNTED,
            Measurement.UNCOUNTED,
            Measurement.UNCOUNTED,
            Measurement.UNCOUNTED);
  }

  private static final int MAXIMUM_SAMPLES = 200_000;
  private static final int COUNTED_CALLS = 1_000;
  private static final long MAXIMUM_COUNTING_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final int SLICES = 4;
  private static final int MAXIMUM_SLICES = 4 * SLICES;
  private static final int SLICES_COMPARED = 3;
  private static final double STABLE = 1.05;

  private final Callable<Use> servers;

  /**
   * @param servers counters of the servers' use so far
   */
  public Sampler(Callable<Use> servers) {
    this.servers = servers;
  }

  /** Checks {@code kernel}, and measures it as {@code task} says. */
  public Measurement measure(Kernel kernel, Task task) throws Exception {
    return measure(List.of(kernel), "", task);
  }

  /** The same for equal kernels, each in a thread of its own. */
  Measurement measure(List<Kernel> kernels, String suffix, Task task) throws Exception {
    Kernel kernel = kernels.get(0);
    String observation = kernel.check();
    long[] nanos = warmUp(kernels, task);
    if (task.measureMillis() > 0) {
      long measured = TimeUnit.MILLISECONDS.toNanos(task.measureMillis());
      nanos = sample(kernels, measured, kernel.leastRuns());
    }
    boolean counted = task.thorough() && !kernel.isShared();
    Counts counts = counted ? perCall(kernel) : Counts.NONE;
    return new Measurement(
        kernel.name() + suffix,
        Percentiles.of(nanos, kernel.callsPerRun()),
        counts.allocated(),
        counts.cpu(),
        counts.sent(),
        counts.received(),
        observation);
  }

  /**
   * Clients that run in step must do as many slices as each other: they do the fewest.
   *
   * @return the times of the last slice
   */
  private static long[] warmUp(List<Kernel> kernels, Task task) throws Exception {
    long nanos = TimeUnit.MILLISECONDS.toNanos(task.warmUpMillis());
    if (!task.thorough() || kernels.get(0).isShared()) {
      return sample(kernels, nanos, 1);
    }
    Deque<Double> medians = new ArrayDeque<>();
    long[] last = {};
    for (int slice = 1; slice <= MAXIMUM_SLICES; slice++) {
      last = sample(kernels, nanos / SLICES, 1);
      medians.add(Percentiles.of(last, 1).median());
      if (medians.size() > SLICES_COMPARED) {
        medians.remove();
      }
      if (slice >= SLICES && isStable(medians)) {
        break;
      }
    }
    return last;
  }

  static boolean isStable(Deque<Double> medians) {
    double least = medians.stream().mapToDouble(median -> median).min().orElseThrow();
    double most = medians.stream().mapToDouble(median -> median).max().orElseThrow();
    return most <= least * STABLE;
  }

  private static long[] sample(List<Kernel> kernels, long budgetNanos, int leastRuns)
      throws Exception {
    if (kernels.size() == 1) {
      return sample(kernels.get(0), budgetNanos, leastRuns);
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
                  return sample(kernel, budgetNanos, leastRuns);
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

  private static long[] sample(Kernel kernel, long budgetNanos, int leastRuns) throws Exception {
    long[] nanos = new long[MAXIMUM_SAMPLES];
    int count = 0;
    kernel.begin();
    try {
      long end = System.nanoTime() + budgetNanos;
      long after = System.nanoTime();
      while (count < leastRuns || (after < end && count < MAXIMUM_SAMPLES)) {
        kernel.prepare();
        long before = System.nanoTime();
        kernel.run();
        after = System.nanoTime();
        nanos[count++] = after - before;
      }
    } finally {
      kernel.end();
    }
    return Arrays.copyOf(nanos, count);
  }

  /** How much the counters rise per call; what reading them costs is measured and taken off. */
  private Counts perCall(Kernel kernel) throws Exception {
    read();
    Counts idle = read();
    Counts start = read();
    long begun = System.nanoTime();
    int runs = 0;
    while (runs == 0
        || (runs * kernel.callsPerRun() < COUNTED_CALLS
            && System.nanoTime() - begun < MAXIMUM_COUNTING_NANOS)) {
      kernel.prepare();
      kernel.run();
      runs++;
    }
    Counts end = read();
    double calls = (double) runs * kernel.callsPerRun();
    return new Counts(
        risen(idle.allocated(), start.allocated(), end.allocated(), calls),
        risen(idle.cpu(), start.cpu(), end.cpu(), calls),
        risen(idle.sent(), start.sent(), end.sent(), calls),
        risen(idle.received(), start.received(), end.received(), calls));
  }

  private Counts read() throws Exception {
    Use used = Use.ofThisJvm().plus(servers.call());
    return new Counts(
        used.allocatedBytes(),
        used.cpuNanos(),
        ProcessCounters.sentBytes(),
        ProcessCounters.receivedBytes());
  }

  /** A counter that went down has lost a thread that ended: then nothing is known. */
  private static double risen(double idle, double start, double end, double calls) {
    boolean known = start >= 0 && end >= start;
    return known ? Math.max(0, end - start - (start - idle)) / calls : Measurement.UNCOUNTED;
  }
}

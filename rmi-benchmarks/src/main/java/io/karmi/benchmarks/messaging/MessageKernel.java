package io.karmi.benchmarks.messaging;

import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.measure.Percentiles;
import io.karmi.benchmarks.measure.ProcessCounters;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** The rows of the table: what is sent, by how many threads. */
enum MessageKernel {
  BYTES_64("64 B, 1 sender", 64, 1),
  BYTES_64_BY_4("64 B, 4 senders", 64, 4),
  BYTES_64_BY_16("64 B, 16 senders", 64, 16),
  FOUR_INTS("4 ints, 1 sender", 0, 1),
  KILOBYTE("1 KB, 1 sender", 1024, 1),
  KILOBYTES_64("64 KB, 1 sender", 64 << 10, 1),
  MEGABYTE("1 MB, 1 sender", 1 << 20, 1),
  REQUEST("request of 64 B, 1 thread", 64, 1),
  REQUEST_BY_16("request of 64 B, 16 threads", 64, 16),
  REQUEST_AMONG_LARGE("request of 64 B while 8 MB flow", 64, 1),
  PACED("64 B one way, 10,000 a second", 64, 1);

  /** Between two messages that are sent at a fixed rate. */
  private static final long PACE_NANOS = 100_000;

  private static final int LARGE_BYTES = 8 << 20;

  final String title;

  /** Bytes of a message; 0 for the object of four ints. */
  final int bytes;

  final int threads;

  MessageKernel(String title, int bytes, int threads) {
    this.title = title;
    this.bytes = bytes;
    this.threads = threads;
  }

  boolean isOneWay() {
    return ordinal() < REQUEST.ordinal();
  }

  /** Times, and processor time of both ends per message, in nanoseconds. */
  private record Outcome(Percentiles times, double cpuNanos) {}

  /** Sends for some time; times are in nanoseconds per message. */
  Measurement run(MessageSender sender, long millis) throws Exception {
    Outcome outcome =
        isOneWay()
            ? oneWay(sender, millis)
            : new Outcome(
                this == PACED
                    ? paced(sender, millis)
                    : requests(sender, millis, this == REQUEST_AMONG_LARGE),
                Measurement.UNCOUNTED);
    double none = Measurement.UNCOUNTED;
    return new Measurement(
        title, outcome.times(), none, outcome.cpuNanos(), none, none, "all arrived");
  }

  private Outcome oneWay(MessageSender sender, long millis) throws Exception {
    long before = sender.arrived();
    long cpuThere = sender.cpuNanosThere();
    Sent sent = sendInThreads(sender, millis);
    while (sender.arrived() - before < sent.count()) {
      Thread.onSpinWait();
    }
    double each = (double) (System.nanoTime() - sent.startNanos()) / sent.count();
    double cpu =
        cpuThere < 0
            ? Measurement.UNCOUNTED
            : (double) (sent.cpuNanos() + sender.cpuNanosThere() - cpuThere) / sent.count();
    return new Outcome(new Percentiles(each, each, each, each), cpu);
  }

  /** How many messages were sent since when, and what that has taken of this process. */
  private record Sent(long count, long startNanos, long cpuNanos) {}

  private Sent sendInThreads(MessageSender sender, long millis) throws Exception {
    long cpu = ProcessCounters.cpuNanos();
    long start = System.nanoTime();
    long end = start + TimeUnit.MILLISECONDS.toNanos(millis);
    long[] cpuAfter = new long[1];
    long count =
        inThreads(
            threads,
            () -> send(sender, end),
            () -> cpuAfter[0] = ProcessCounters.cpuNanos()); // while the threads are there
    return new Sent(count, start, cpuAfter[0] - cpu);
  }

  private long send(MessageSender sender, long end) throws IOException {
    long count = 0;
    do {
      sender.send(bytes);
      count++;
    } while (System.nanoTime() - end < 0);
    sender.flush();
    return count;
  }

  private Percentiles requests(MessageSender sender, long millis, boolean amongLarge)
      throws Exception {
    AtomicBoolean over = new AtomicBoolean(!amongLarge);
    Thread large = new Thread(() -> sendLarge(sender, over));
    large.start();
    long[] nanos = new long[100_000];
    int[] count = new int[1];
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    inThreads(
        threads,
        () -> {
          long last = System.nanoTime();
          do {
            sender.request(bytes);
            long now = System.nanoTime();
            note(nanos, count, now - last);
            last = now;
          } while (last - end < 0);
          return 0L;
        },
        () -> {});
    over.set(true);
    large.join();
    return Percentiles.of(Arrays.copyOf(nanos, Math.min(count[0], nanos.length)), 1);
  }

  /** Times from when each message was to be sent, though the one before may have taken longer. */
  private static Percentiles paced(MessageSender sender, long millis) throws IOException {
    long before = sender.arrived();
    long count = Math.max(1, TimeUnit.MILLISECONDS.toNanos(millis) / PACE_NANOS);
    long due = System.nanoTime();
    for (long i = 0; i < count; i++, due += PACE_NANOS) {
      while (System.nanoTime() - due < 0) {
        Thread.onSpinWait();
      }
      sender.sendDue(due);
    }
    while (sender.arrived() - before < count) {
      Thread.onSpinWait();
    }
    return new Percentiles(
        sender.delayNanos(500),
        sender.delayNanos(900),
        sender.delayNanos(990),
        sender.delayNanos(999));
  }

  private static void note(long[] nanos, int[] count, long time) {
    synchronized (nanos) {
      nanos[count[0] % nanos.length] = time;
      count[0]++;
    }
  }

  private static void sendLarge(MessageSender sender, AtomicBoolean over) {
    try {
      while (!over.get()) {
        sender.send(LARGE_BYTES);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private interface Work {
    long run() throws Exception;
  }

  private static long inThreads(int count, Work work, Runnable atTheEnd) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(count);
    try {
      Future<?>[] ends = new Future<?>[count];
      for (int i = 0; i < count; i++) {
        ends[i] = executor.submit(work::run);
      }
      long sum = 0;
      for (Future<?> end : ends) {
        sum += (Long) end.get();
      }
      atTheEnd.run();
      return sum;
    } catch (ExecutionException e) {
      throw new IOException("a sender has failed", e.getCause());
    } finally {
      executor.shutdownNow();
    }
  }
}

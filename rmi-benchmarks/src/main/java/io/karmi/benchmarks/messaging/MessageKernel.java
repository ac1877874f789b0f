package io.karmi.benchmarks.messaging;

import io.karmi.benchmarks.measure.Percentiles;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

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

  /** They stay for a minute: the time of a thread that has ended is not seen from outside. */
  private static final ExecutorService THREADS = Executors.newCachedThreadPool();

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

  /**
   * What came of it.
   *
   * @param count of messages
   * @param times of a message, in nanoseconds
   */
  record Outcome(long count, Percentiles times) {}

  /** Sends for some time. */
  Outcome run(MessageSender sender, long millis) throws Exception {
    return switch (this) {
      case PACED -> paced(sender, millis);
      case REQUEST, REQUEST_BY_16, REQUEST_AMONG_LARGE -> requests(sender, millis);
      default -> oneWay(sender, millis);
    };
  }

  private Outcome oneWay(MessageSender sender, long millis) throws Exception {
    long before = sender.arrived();
    long start = System.nanoTime();
    long end = start + TimeUnit.MILLISECONDS.toNanos(millis);
    long count = inThreads(threads, () -> send(sender, end));
    while (sender.arrived() - before < count) {
      Thread.onSpinWait();
    }
    double each = (double) (System.nanoTime() - start) / count;
    return new Outcome(count, Percentiles.all(each));
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

  private Outcome requests(MessageSender sender, long millis) throws Exception {
    AtomicBoolean over = new AtomicBoolean(this != REQUEST_AMONG_LARGE);
    Future<?> large = THREADS.submit(() -> sendLarge(sender, over));
    Outcome outcome = ask(threads, millis, turn -> sender.request(bytes));
    over.set(true);
    large.get();
    return outcome;
  }

  /** What a thread does again and again. */
  interface Step {
    /**
     * Does it once.
     *
     * @param turn how often the thread has done it
     */
    void run(long turn) throws IOException;
  }

  /** Has threads ask for some time. */
  static Outcome ask(int threads, long millis, Step step) throws Exception {
    long[] nanos = new long[100_000];
    AtomicInteger noted = new AtomicInteger();
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    long count =
        inThreads(
            threads,
            () -> {
              long own = 0;
              long last = System.nanoTime();
              do {
                step.run(own);
                long now = System.nanoTime();
                nanos[noted.getAndIncrement() % nanos.length] = now - last;
                last = now;
                own++;
              } while (last - end < 0);
              return own;
            });
    long[] times = Arrays.copyOf(nanos, (int) Math.min(count, nanos.length));
    return new Outcome(count, Percentiles.of(times, 1));
  }

  /** Times from when each message was to be sent, though the one before may have taken longer. */
  private static Outcome paced(MessageSender sender, long millis) throws IOException {
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
    return new Outcome(
        count,
        new Percentiles(
            sender.delayNanos(500),
            sender.delayNanos(900),
            sender.delayNanos(990),
            sender.delayNanos(999)));
  }

  private static @Nullable Void sendLarge(MessageSender sender, AtomicBoolean over)
      throws IOException {
    while (!over.get()) {
      sender.send(LARGE_BYTES);
    }
    return null;
  }

  /** The sum of what the work in each thread returns. */
  private static long inThreads(int threads, Callable<Long> work) throws Exception {
    long sum = 0;
    for (Future<Long> end : THREADS.invokeAll(Collections.nCopies(threads, work))) {
      sum += end.get();
    }
    return sum;
  }
}

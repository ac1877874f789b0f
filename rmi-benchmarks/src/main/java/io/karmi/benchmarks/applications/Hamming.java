package io.karmi.benchmarks.applications;

import io.karmi.benchmarks.measure.Kernel;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Hamming's problem (section 6.1c): all products of powers of some primes up to a limit, rising and
 * without duplicates.
 *
 * <p>Each prime has a {@link Multiplier} on a server; several servers get them in turn. The client
 * takes the smallest product it has been sent, and sends it to all of them; their products come
 * back as calls from the server. Arguments are primitive; several threads call both ways.
 */
public record Hamming(String name, List<Multipliers> servers) implements Kernel {
  /** Every second prime, as in the paper. */
  private static final long[] PRIMES = {2, 5, 11, 17};

  private static final long LIMIT = 30_000;
  private static final long PATIENCE_SECONDS = 30;

  private static final List<Long> EXPECTED = sequentially();

  /** Each number goes to every multiplier and comes back; each multiplier is made and stopped. */
  @Override
  public int callsPerRun() {
    return PRIMES.length * (2 * EXPECTED.size() + 2);
  }

  @Override
  public int leastRuns() {
    return 3;
  }

  @Override
  public void run() throws RemoteException, InterruptedException {
    List<Long> numbers = solve();
    if (!numbers.equals(EXPECTED)) {
      throw new IllegalStateException("expected " + EXPECTED + " but got " + numbers);
    }
  }

  @Override
  public String check() throws RemoteException, InterruptedException {
    run();
    return EXPECTED.size() + " numbers, sum " + EXPECTED.stream().mapToLong(n -> n).sum();
  }

  private List<Long> solve() throws RemoteException, InterruptedException {
    Products products = new Products();
    UnicastRemoteObject.exportObject(products, 0);
    List<Multiplier> workers = new ArrayList<>();
    try {
      for (int i = 0; i < PRIMES.length; i++) {
        Multipliers server = servers.get(i % servers.size());
        workers.add(server.create(PRIMES[i], i, products));
      }
      List<Long> numbers = new ArrayList<>();
      for (long next = 1; next <= LIMIT; next = products.takeSmallest()) {
        numbers.add(next);
        for (Multiplier worker : workers) {
          worker.multiply(next);
        }
      }
      products.awaitAll(numbers.size() * PRIMES.length);
      return numbers;
    } finally {
      for (Multiplier worker : workers) {
        worker.stop();
      }
      UnicastRemoteObject.unexportObject(products, true);
    }
  }

  private static List<Long> sequentially() {
    TreeSet<Long> open = new TreeSet<>(List.of(1L));
    List<Long> numbers = new ArrayList<>();
    for (long next = open.pollFirst(); next <= LIMIT; next = open.pollFirst()) {
      numbers.add(next);
      for (long prime : PRIMES) {
        open.add(next * prime);
      }
    }
    return numbers;
  }

  /** The products that have come back, in a queue per multiplier. */
  private static final class Products implements Merger {
    private final List<Queue<Long>> queues = new ArrayList<>();
    private int received;

    Products() {
      for (int i = 0; i < PRIMES.length; i++) {
        queues.add(new ArrayDeque<>());
      }
    }

    @Override
    public synchronized void product(int index, long value) {
      queues.get(index).add(value);
      received++;
      notifyAll();
    }

    /** Waits until every multiplier has sent one: only then is the smallest of them known. */
    synchronized long takeSmallest() throws InterruptedException {
      await(() -> queues.stream().noneMatch(Queue::isEmpty));
      long smallest = Long.MAX_VALUE;
      for (Queue<Long> queue : queues) {
        smallest = Math.min(smallest, queue.element());
      }
      for (Queue<Long> queue : queues) {
        if (queue.element() == smallest) {
          queue.remove();
        }
      }
      return smallest;
    }

    /**
     * Waits for the last products, which are not needed: a multiplier must not find its merger
     * gone.
     */
    synchronized void awaitAll(int count) throws InterruptedException {
      await(() -> received == count);
    }

    private synchronized void await(BooleanSupplier condition) throws InterruptedException {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      while (!condition.getAsBoolean()) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          throw new IllegalStateException("no product for " + PATIENCE_SECONDS + " s");
        }
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    }
  }
}

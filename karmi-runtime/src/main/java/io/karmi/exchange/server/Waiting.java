package io.karmi.exchange.server;

/** Those who wait for one key or group, without the lock of the table. Thread-safe. */
final class Waiting {
  /** Guarded by the table. */
  int waiters;

  private int changes;

  synchronized int changes() {
    return changes;
  }

  synchronized void changed() {
    changes++;
    notifyAll();
  }

  /** Waits, unless it has changed since, or for a time. */
  synchronized void await(int seen, long nanos) throws InterruptedException {
    if (changes == seen) {
      wait(Math.max(1, nanos / 1_000_000));
    }
  }
}

package io.karmi.dgc.lease;

import io.karmi.dgc.Messenger;
import io.karmi.id.ObjectId;
import java.io.IOException;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A node of which this one holds objects. Thread-safe.
 *
 * <p>Messages leave without the lock, each with a number of its own; the owner puts them in order.
 */
final class Owner {
  private static final System.Logger LOG = System.getLogger("io.karmi.dgc.lease");
  private static final long RETRY_NANOS = 1_000_000_000L;
  private static final int CLEAN_ATTEMPTS = 5;

  private final Messenger messenger;
  private final ReferenceQueue<Object> queue;
  private final long leaseMillis;

  /**
   * Numbers the messages of this node; shared, so that they rise even if this owner is forgotten
   * and met again.
   */
  private final AtomicLong sequence;

  private final Map<Long, Held> held = new HashMap<>();
  private final Set<Long> toClean = new HashSet<>();
  private ObjectId any;
  private long renewAtNanos;
  private long grantedNanos;
  private int failedCleans;
  private int arriving;
  private boolean retired;

  Owner(Messenger messenger, ReferenceQueue<Object> queue, long leaseMillis, AtomicLong sequence) {
    this.messenger = messenger;
    this.queue = queue;
    this.leaseMillis = leaseMillis;
    this.sequence = sequence;
    grantedNanos = leaseMillis * 1_000_000;
    renewAtNanos = System.nanoTime() + grantedNanos / 2;
  }

  /**
   * Notes references, and tells the owner about those that are new.
   *
   * @return the token of each; null if this owner has been {@linkplain #retire retired}
   */
  Map<Long, Object> arrived(List<ObjectId> ids) {
    Map<Long, Object> tokens = new HashMap<>();
    List<Long> fresh = new ArrayList<>();
    long number;
    synchronized (this) {
      if (retired) {
        return null;
      }
      arriving++;
      any = ids.get(0);
      for (ObjectId id : ids) {
        tokens.computeIfAbsent(id.number(), n -> enter(n, fresh));
      }
      number = sequence.incrementAndGet();
    }
    try {
      if (!fresh.isEmpty()) {
        dirty(number, fresh);
      }
      awaitDirty(tokens.keySet());
      return tokens;
    } finally {
      synchronized (this) {
        arriving--;
      }
    }
  }

  private Object enter(long number, List<Long> fresh) {
    Held entry = held.get(number);
    if (entry == null) {
      entry = new Held();
      held.put(number, entry);
      toClean.remove(number);
      fresh.add(number);
    }
    return entry.token(number);
  }

  /**
   * Others may have told the owner of the same object a moment ago: its answer is waited for, too.
   */
  private synchronized void awaitDirty(Collection<Long> numbers) {
    boolean interrupted = false;
    for (long number : numbers) {
      Held entry = held.get(number);
      while (entry != null && !entry.told) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void dirty(long number, List<Long> numbers) {
    boolean granted = false;
    try {
      granted = send(number, numbers);
    } finally {
      told(numbers, granted);
    }
  }

  private synchronized void told(List<Long> numbers, boolean granted) {
    for (long number : numbers) {
      Held entry = held.get(number);
      if (entry != null) {
        entry.told = true;
      }
    }
    if (!granted) {
      renewAtNanos = System.nanoTime() + RETRY_NANOS;
    }
    notifyAll();
  }

  private boolean send(long number, List<Long> numbers) {
    ObjectId target;
    synchronized (this) {
      target = any;
    }
    try {
      for (int from = 0; from == 0 || from < numbers.size(); from += LeaseMessage.MAXIMUM_NUMBERS) {
        int to = Math.min(numbers.size(), from + LeaseMessage.MAXIMUM_NUMBERS);
        long[] message =
            LeaseMessage.of(LeaseMessage.DIRTY, number, leaseMillis, numbers.subList(from, to));
        long grantedMillis = messenger.send(target, message);
        granted(grantedMillis);
      }
      return true;
    } catch (IOException | RuntimeException e) {
      LOG.log(System.Logger.Level.DEBUG, "node " + target.node() + " grants no lease", e);
      return false;
    }
  }

  /** A grant renews the lease on everything that is held. */
  private synchronized void granted(long millis) {
    grantedNanos = Math.max(1, millis) * 1_000_000;
    renewAtNanos = System.nanoTime() + grantedNanos / 2;
  }

  /** Renews the lease if it is time, and sends what cleans there are. Called by one thread only. */
  void tend(long now) {
    List<Long> all = null;
    long number = 0;
    synchronized (this) {
      if (!held.isEmpty() && now - renewAtNanos >= 0) {
        all = new ArrayList<>(held.keySet());
        number = sequence.incrementAndGet();
        renewAtNanos = now + grantedNanos / 2;
      }
    }
    if (all != null && !send(number, all)) {
      synchronized (this) {
        renewAtNanos = System.nanoTime() + Math.min(RETRY_NANOS, grantedNanos / 4);
      }
    }
    clean();
  }

  private void clean() {
    List<Long> numbers;
    long number;
    ObjectId target;
    synchronized (this) {
      if (toClean.isEmpty()) {
        return;
      }
      numbers = new ArrayList<>(toClean);
      toClean.clear();
      number = sequence.incrementAndGet();
      target = any;
    }
    try {
      for (int from = 0; from < numbers.size(); from += LeaseMessage.MAXIMUM_NUMBERS) {
        int to = Math.min(numbers.size(), from + LeaseMessage.MAXIMUM_NUMBERS);
        messenger.send(
            target, LeaseMessage.of(LeaseMessage.CLEAN, number, 0, numbers.subList(from, to)));
      }
      failedCleans = 0;
    } catch (IOException | RuntimeException e) {
      LOG.log(System.Logger.Level.DEBUG, "clean to node " + target.node() + " failed", e);
      retryClean(numbers);
    }
  }

  /** A clean that nobody hears is repeated a few times; then the lease will expire. */
  private synchronized void retryClean(List<Long> numbers) {
    if (++failedCleans >= CLEAN_ATTEMPTS) {
      failedCleans = 0;
      return;
    }
    for (long number : numbers) {
      if (!held.containsKey(number)) {
        toClean.add(number);
      }
    }
    renewAtNanos = System.nanoTime() + RETRY_NANOS;
  }

  void cleanAll() {
    synchronized (this) {
      toClean.addAll(held.keySet());
      held.clear();
    }
    clean();
  }

  synchronized long renewAtNanos() {
    return renewAtNanos;
  }

  /** Gives this owner up if nothing is held of it and nothing remains to be said. */
  synchronized boolean retire() {
    retired = held.isEmpty() && toClean.isEmpty() && arriving == 0;
    return retired;
  }

  private synchronized void dropped(long number, Held entry) {
    if (--entry.tokens == 0 && held.remove(number, entry)) {
      toClean.add(number);
    }
  }

  /** An object that somebody here can call. */
  private final class Held {
    private WeakReference<Object> token = new WeakReference<>(null);
    private final List<Drop> drops = new ArrayList<>(1);

    /** Tokens that have not been found unreachable. */
    int tokens;

    /** Whether the owner has been told, or could not be. */
    boolean told;

    /** The token that all references to the object share; a new one if the last is gone. */
    Object token(long number) {
      Object known = token.get();
      if (known == null) {
        known = new Object();
        token = new WeakReference<>(known);
        drops.add(new Drop(known, number, this));
        tokens++;
      }
      return known;
    }
  }

  /** Enqueued when a token is unreachable. */
  final class Drop extends PhantomReference<Object> {
    private final long number;
    private final Held entry;

    Drop(Object token, long number, Held entry) {
      super(token, queue);
      this.number = number;
      this.entry = entry;
    }

    void note() {
      synchronized (Owner.this) {
        entry.drops.remove(this);
        dropped(number, entry);
      }
    }
  }
}

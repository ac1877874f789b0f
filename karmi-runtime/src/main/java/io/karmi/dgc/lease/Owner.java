package io.karmi.dgc.lease;

import io.karmi.dgc.HeldObject;
import io.karmi.dgc.Messenger;
import io.karmi.id.ObjectId;
import java.io.IOException;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A node of which this one holds objects. Thread-safe.
 *
 * <p>Messages leave without the lock, each with a number of its own; the owner puts them in order.
 */
final class Owner {
  private static final System.Logger LOG = System.getLogger("io.karmi.dgc.lease");
  private static final long FIRST_RETRY_NANOS = 1_000_000_000L;
  private static final long LAST_RETRY_NANOS = 60 * FIRST_RETRY_NANOS;
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

  /** One of its objects; set by the first that arrive, before there is anything to say to it. */
  @SuppressWarnings("NullAway.Init")
  private ObjectId any;

  /** When everything that is held has to be renewed. */
  private long renewAtNanos;

  /** When {@link #toClean} may be sent. */
  private long cleanAtNanos;

  private long grantedNanos;
  private long retryNanos = FIRST_RETRY_NANOS;
  private int failedCleans;
  private int arriving;
  private boolean sending;
  private boolean retired;

  Owner(Messenger messenger, ReferenceQueue<Object> queue, long leaseMillis, AtomicLong sequence) {
    this.messenger = messenger;
    this.queue = queue;
    this.leaseMillis = leaseMillis;
    this.sequence = sequence;
    grantedNanos = leaseMillis * 1_000_000;
    cleanAtNanos = System.nanoTime();
    renewAtNanos = cleanAtNanos + grantedNanos / 2;
  }

  /**
   * Notes references, and tells the owner about those that are new.
   *
   * @return the token of each; null if this owner has been {@linkplain #retire retired}
   */
  @Nullable Map<Long, Object> arrived(List<ObjectId> ids) {
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
      entry = new Held(number);
      held.put(number, entry);
      toClean.remove(number);
      fresh.add(number);
    }
    return entry.token();
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

  /** What was granted now is renewed with all the rest, whose time goes on. */
  private synchronized void told(List<Long> numbers, boolean granted) {
    for (long number : numbers) {
      Held entry = held.get(number);
      if (entry != null) {
        entry.told = true;
      }
    }
    renewBefore(System.nanoTime() + (granted ? grantedNanos / 2 : FIRST_RETRY_NANOS));
    notifyAll();
  }

  private void renewBefore(long nanos) {
    if (renewAtNanos - nanos > 0) {
      renewAtNanos = nanos;
    }
  }

  /** Tells the owner that these objects are held; false if it did not answer. */
  private boolean send(long number, List<Long> numbers) {
    ObjectId target;
    synchronized (this) {
      target = any;
    }
    try {
      for (int from = 0; from < numbers.size(); from += LeaseMessage.MAXIMUM_NUMBERS) {
        int to = Math.min(numbers.size(), from + LeaseMessage.MAXIMUM_NUMBERS);
        long[] message =
            LeaseMessage.of(LeaseMessage.DIRTY, number, leaseMillis, numbers.subList(from, to));
        long grantedMillis = messenger.send(target, message);
        synchronized (this) {
          grantedNanos = Math.max(1, grantedMillis) * 1_000_000;
        }
      }
      return true;
    } catch (IOException | RuntimeException e) {
      LOG.log(System.Logger.Level.DEBUG, "node " + target.node() + " grants no lease", e);
      return false;
    }
  }

  /** True if there is something to be said; {@link #sendMessages} must follow then. */
  synchronized boolean beginMessages(long now) {
    if (sending || nextMessageNanos() - now > 0) {
      return false;
    }
    sending = true;
    return true;
  }

  /** Renews the lease if it is time, and sends what cleans there are. */
  void sendMessages() {
    try {
      renew();
      clean();
    } finally {
      synchronized (this) {
        sending = false;
      }
    }
  }

  private void renew() {
    List<Long> all;
    long number;
    long begun = System.nanoTime();
    synchronized (this) {
      if (held.isEmpty() || begun - renewAtNanos < 0) {
        return;
      }
      all = new ArrayList<>(held.keySet());
      number = sequence.incrementAndGet();
      renewAtNanos = begun + grantedNanos / 2;
    }
    boolean granted = send(number, all);
    synchronized (this) {
      if (granted) {
        retryNanos = FIRST_RETRY_NANOS;
        renewBefore(begun + grantedNanos / 2);
      } else {
        renewAtNanos = System.nanoTime() + Math.min(retryNanos, grantedNanos / 4);
        retryNanos = Math.min(2 * retryNanos, LAST_RETRY_NANOS);
      }
    }
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
      synchronized (this) {
        failedCleans = 0;
      }
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
    cleanAtNanos = System.nanoTime() + FIRST_RETRY_NANOS;
  }

  void cleanAll() {
    synchronized (this) {
      toClean.addAll(held.keySet());
      held.clear();
    }
    clean();
  }

  /** When the next message is due; far away if there is none. */
  synchronized long nextMessageNanos() {
    long next = System.nanoTime() + LAST_RETRY_NANOS;
    if (!held.isEmpty()) {
      next = renewAtNanos;
    }
    return !toClean.isEmpty() && next - cleanAtNanos > 0 ? cleanAtNanos : next;
  }

  synchronized boolean isSending() {
    return sending;
  }

  /** Gives this owner up if nothing is held of it and nothing remains to be said. */
  synchronized boolean retire() {
    retired = held.isEmpty() && toClean.isEmpty() && arriving == 0 && !sending;
    return retired;
  }

  /** An object of the owner that somebody here can call. */
  private final class Held extends HeldObject {
    private final long number;

    /** Whether the owner has been told, or could not be. */
    boolean told;

    Held(long number) {
      super(Owner.this, queue);
      this.number = number;
    }

    @Override
    protected void dropped() {
      if (held.remove(number, this)) {
        toClean.add(number);
      }
    }
  }
}

package io.karmi.dgc.lease;

import io.karmi.dgc.ExportedObjects;
import io.karmi.dgc.HolderCounts;
import io.karmi.id.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The owner's half: which node holds which objects, and until when. Thread-safe.
 *
 * <p>Each object has a lease of its own for each holder, so that a clean which gets lost costs one
 * lease and no more. The number of the last message about it is kept, also after a clean, until the
 * lease would have ended: a message that arrives late must neither revive nor drop a reference.
 *
 * <p>An object of a holder that has fallen silent is let go after one lease and a quarter at most.
 */
final class GrantedLeases {
  private static final long CHECKS_PER_LEASE = 4;

  private final ExportedObjects objects;
  private final BiConsumer<String, Runnable> threads;
  private final long leaseMillis;
  private final Map<NodeId, Map<Long, Lease>> holders = new HashMap<>();

  /** How many nodes hold an object; objects that nobody holds are absent. */
  private final HolderCounts holds;

  private boolean watched;
  private boolean closed;

  GrantedLeases(ExportedObjects objects, BiConsumer<String, Runnable> threads, long leaseMillis) {
    this.objects = objects;
    holds = new HolderCounts(objects);
    this.threads = threads;
    this.leaseMillis = Math.max(1, leaseMillis);
  }

  long receive(NodeId from, long[] message) {
    if (message.length < LeaseMessage.FIRST_NUMBER) {
      throw new IllegalArgumentException("lease message of " + message.length + " numbers");
    }
    if (message[0] == LeaseMessage.DIRTY) {
      return dirty(from, message);
    }
    if (message[0] == LeaseMessage.CLEAN) {
      clean(from, message);
      return 0;
    }
    throw new IllegalArgumentException("lease message of kind " + message[0]);
  }

  private synchronized long dirty(NodeId from, long[] message) {
    long asked = message[2];
    long duration = asked <= 0 || asked > leaseMillis ? leaseMillis : asked;
    for (int i = LeaseMessage.FIRST_NUMBER; i < message.length; i++) {
      Lease lease = lease(from, message[i], message[1]);
      if (lease != null && objects.hold(message[i])) {
        lease.extend(message[1], duration);
        if (!lease.held) {
          lease.held = true;
          holds.add(message[i]);
        }
      }
    }
    watch();
    return duration;
  }

  private synchronized void clean(NodeId from, long[] message) {
    for (int i = LeaseMessage.FIRST_NUMBER; i < message.length; i++) {
      Lease lease = lease(from, message[i], message[1]);
      if (lease != null) {
        lease.extend(message[1], leaseMillis);
        if (lease.held) {
          lease.held = false;
          holds.remove(message[i]);
        }
      }
    }
    watch();
  }

  /**
   * What was said about an object; null if that is later than this message. Nothing is remembered
   * about numbers that are no object's: anybody can make them up.
   */
  private @Nullable Lease lease(NodeId from, long number, long sequence) {
    Map<Long, Lease> leases = holders.get(from);
    Lease known = leases == null ? null : leases.get(number);
    if (known != null) {
      return sequence > known.sequence ? known : null;
    }
    if (!objects.isExported(number)) {
      return null;
    }
    Lease made = new Lease();
    holders.computeIfAbsent(from, node -> new HashMap<>()).put(number, made);
    return made;
  }

  synchronized int heldObjects() {
    return holds.heldObjects();
  }

  synchronized void close() {
    closed = true;
    notifyAll();
  }

  private void watch() {
    if (!watched && !closed && !holders.isEmpty()) {
      watched = true;
      threads.accept("KaRMI Lease Checker", this::expireAll);
    }
  }

  /** Lets go of what was not renewed, as long as there is anything. */
  private synchronized void expireAll() {
    long roundMillis = Math.max(1, leaseMillis / CHECKS_PER_LEASE);
    try {
      while (!closed && !holders.isEmpty()) {
        long before = System.nanoTime();
        wait(roundMillis);
        long now = System.nanoTime();
        expire(now, stalledNanos(now - before, roundMillis * 1_000_000));
      }
    } catch (InterruptedException e) {
      // the thread is the runtime's own; somebody wants it to end
    } finally {
      watched = false;
    }
  }

  /**
   * Time in which this JVM was stopped is nobody's fault: holders may have tried to renew, and
   * their messages wait to be read.
   */
  private static long stalledNanos(long elapsedNanos, long roundNanos) {
    return elapsedNanos > 2 * roundNanos ? elapsedNanos - roundNanos : 0;
  }

  private void expire(long now, long stalledNanos) {
    List<Long> released = new ArrayList<>();
    for (Iterator<Map<Long, Lease>> all = holders.values().iterator(); all.hasNext(); ) {
      Map<Long, Lease> leases = all.next();
      for (Iterator<Map.Entry<Long, Lease>> each = leases.entrySet().iterator(); each.hasNext(); ) {
        Map.Entry<Long, Lease> entry = each.next();
        Lease lease = entry.getValue();
        lease.untilNanos += stalledNanos;
        if (now - lease.untilNanos > 0) {
          each.remove();
          if (lease.held) {
            released.add(entry.getKey());
          }
        }
      }
      if (leases.isEmpty()) {
        all.remove();
      }
    }
    released.forEach(holds::remove);
  }

  /** What one holder has said about one object. */
  private static final class Lease {
    long sequence = Long.MIN_VALUE;
    long untilNanos = System.nanoTime();
    boolean held;

    void extend(long messageSequence, long millis) {
      sequence = messageSequence;
      untilNanos = System.nanoTime() + millis * 1_000_000;
    }
  }
}

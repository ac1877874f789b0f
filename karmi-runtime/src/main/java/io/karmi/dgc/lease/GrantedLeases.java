package io.karmi.dgc.lease;

import io.karmi.dgc.Background;
import io.karmi.dgc.ExportedObjects;
import io.karmi.dgc.HolderCounts;
import io.karmi.dgc.Sender;
import io.karmi.id.NodeId;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
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

  /** How many nodes may hold objects of this one; more than any node has. */
  private static final int MOST_HOLDERS = 1 << 16;

  private final ExportedObjects objects;
  private final Background.Service checker;
  private final long leaseMillis;

  /** By the identity of the holder, which is more than the id that it claims. */
  private final Map<Object, Map<Long, Lease>> holders = new HashMap<>();

  /** The identity under which each key has been shown first. */
  private final Map<Claim, Object> claims = new HashMap<>();

  /** What a node that comes by another connection must show to speak of a lease. */
  private record Claim(NodeId node, long number, long key) {}

  /** How many nodes hold an object; objects that nobody holds are absent. */
  private final HolderCounts holds;

  /** Whether {@link #checkedAtNanos} is kept. */
  private boolean watched;

  /** When leases were checked last, or had not been granted yet. */
  private long checkedAtNanos;

  private boolean closed;

  GrantedLeases(ExportedObjects objects, Background background, long leaseMillis) {
    this.objects = objects;
    holds = new HolderCounts(objects);
    this.leaseMillis = Math.max(1, Math.min(LeaseTimes.LONGEST_MILLIS, leaseMillis));
    checker = background.service("KaRMI Lease Checker", this::await, this::expireAll);
  }

  long receive(Sender from, long[] message) {
    if (message.length < LeaseMessage.FIRST_NUMBER
        || (message.length - LeaseMessage.FIRST_NUMBER) % LeaseMessage.STEP != 0) {
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

  private synchronized long dirty(Sender from, long[] message) {
    long asked = message[2];
    long duration = asked <= 0 || asked > leaseMillis ? leaseMillis : asked;
    for (int i = LeaseMessage.FIRST_NUMBER; i < message.length; i += LeaseMessage.STEP) {
      Lease lease = lease(from, message[i], message[i + 1], message[1]);
      if (lease != null && objects.hold(message[i])) {
        lease.extend(message[1], duration);
        if (!lease.held) {
          holds.add(message[i]);
          lease.held = true;
        }
      }
    }
    watch();
    return duration;
  }

  private synchronized void clean(Sender from, long[] message) {
    for (int i = LeaseMessage.FIRST_NUMBER; i < message.length; i += LeaseMessage.STEP) {
      Lease lease = lease(from, message[i], message[i + 1], message[1]);
      if (lease != null) {
        lease.extend(message[1], leaseMillis);
        if (lease.held) {
          holds.remove(message[i]);
          lease.held = false;
        }
      }
    }
    watch();
  }

  /**
   * What was said about an object; null if that is later than this message. Nothing is remembered
   * about numbers that are no object's: anybody can make them up.
   */
  private @Nullable Lease lease(Sender from, long number, long key, long sequence) {
    Claim claim = new Claim(from.node(), number, key);
    Object holder = claims.getOrDefault(claim, from.identity());
    Map<Long, Lease> leases = holders.get(holder);
    Lease known = leases == null ? null : leases.get(number);
    if (known == null) {
      if (!objects.isExported(number)) {
        return null;
      }
      if (leases == null && holders.size() >= MOST_HOLDERS) {
        throw new IllegalArgumentException(
            holders.size() + " nodes hold objects of this one already: no lease for another");
      }
      known = new Lease(claim);
      holders.computeIfAbsent(holder, node -> new HashMap<>()).put(number, known);
      claims.put(claim, holder);
    } else if (sequence <= known.sequence) {
      return null;
    } else if (!known.claim.equals(claim)) {
      claims.remove(known.claim);
      known.claim = claim;
      claims.put(claim, holder);
    }
    return known;
  }

  synchronized int heldObjects() {
    return holds.heldObjects();
  }

  synchronized void close() {
    closed = true;
    checker.stop();
  }

  private void watch() {
    if (!closed && !holders.isEmpty()) {
      if (!watched) {
        watched = true;
        checkedAtNanos = System.nanoTime();
      }
      checker.ensureRunning();
    }
  }

  private void await() throws InterruptedException {
    Thread.sleep(roundMillis());
  }

  private long roundMillis() {
    return Math.max(1, leaseMillis / CHECKS_PER_LEASE);
  }

  /** Lets go of what was not renewed; false if there is nothing left. */
  private synchronized boolean expireAll() {
    long now = System.nanoTime();
    expire(now, stalledNanos(now - checkedAtNanos, roundMillis() * 1_000_000));
    checkedAtNanos = now;
    watched = !closed && !holders.isEmpty();
    return watched;
  }

  /**
   * Time in which this JVM was stopped is nobody's fault: holders may have tried to renew, and
   * their messages wait to be read.
   */
  private static long stalledNanos(long elapsedNanos, long roundNanos) {
    return elapsedNanos > 2 * roundNanos ? elapsedNanos - roundNanos : 0;
  }

  /** A lease that cannot be ended for want of memory is ended in the next round. */
  private void expire(long now, long stalledNanos) {
    for (Iterator<Map<Long, Lease>> all = holders.values().iterator(); all.hasNext(); ) {
      Map<Long, Lease> leases = all.next();
      for (Iterator<Map.Entry<Long, Lease>> each = leases.entrySet().iterator(); each.hasNext(); ) {
        Map.Entry<Long, Lease> entry = each.next();
        Lease lease = entry.getValue();
        lease.untilNanos += stalledNanos;
        if (now - lease.untilNanos > 0) {
          if (lease.held) {
            holds.remove(entry.getKey());
            lease.held = false;
          }
          claims.remove(lease.claim);
          each.remove();
        }
      }
      if (leases.isEmpty()) {
        all.remove();
      }
    }
  }

  /** What one holder has said about one object. */
  private static final class Lease {
    /** The last key that its holder has shown. */
    Claim claim;

    long sequence = Long.MIN_VALUE;
    long untilNanos = System.nanoTime();
    boolean held;

    Lease(Claim claim) {
      this.claim = claim;
    }

    void extend(long messageSequence, long millis) {
      sequence = messageSequence;
      untilNanos = System.nanoTime() + millis * 1_000_000;
    }
  }
}

package io.karmi.dgc.lease;

import io.karmi.dgc.Background;
import io.karmi.dgc.ExportedObjects;
import io.karmi.dgc.HolderCounts;
import io.karmi.dgc.Sender;
import io.karmi.id.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Leases that an owner has granted: which node holds which objects, and until when. Thread-safe.
 *
 * <p>There is a lease for each object, holder and key. So a lost clean costs one lease only. Nor
 * does one place by which a holder knows an object end a lease of another place: references are
 * made by others, and may lie about it. The number of the last message about a lease is kept until
 * the lease would have ended, also after a clean: a message that arrives late must neither revive
 * nor drop a reference.
 *
 * <p>An object whose holder has fallen silent is released after one lease and a quarter at most.
 */
final class GrantedLeases {
  private static final long CHECKS_PER_LEASE = 4;

  /** Upper bound of the nodes that hold objects of this one. */
  private static final int MOST_HOLDERS = 1 << 16;

  /** Upper bound of those on one host, so that there is room for others. */
  private static final int MOST_HOLDERS_OF_HOST = MOST_HOLDERS / 8 * 7;

  /** Upper bound of the keys that a holder shows for one object; it has one for each place. */
  private static final int MOST_KEYS = 16;

  private final ExportedObjects objects;
  private final Background.Service checker;
  private final long leaseMillis;

  private final Map<Claim, Lease> leases = new HashMap<>();

  /** By the identity that has shown a key first, and not by the id that it claims. */
  private final Map<Object, Holder> holders = new HashMap<>();

  /** Number of holders on each host. */
  private final Map<Object, Integer> holdersOfHost = new HashMap<>();

  /**
   * What a node must show, over any connection, to change a lease. Senders choose the values: the
   * order keeps a table fast if all have the same hash code.
   */
  private record Claim(NodeId node, long number, long key) implements Comparable<Claim> {
    @Override
    public int compareTo(Claim other) {
      int nodes = node.compareTo(other.node);
      int numbers = nodes != 0 ? nodes : Long.compare(number, other.number);
      return numbers != 0 ? numbers : Long.compare(key, other.key);
    }

    /* Written by hand: the JDK generates a record's own at run time, which delays the start. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Claim claim
          && number == claim.number
          && key == claim.key
          && node.equals(claim.node);
    }

    @Override
    public int hashCode() {
      return 31 * (31 * node.hashCode() + Long.hashCode(number)) + Long.hashCode(key);
    }
  }

  /** Number of holders of each object; objects without a holder are absent. */
  private final HolderCounts holds;

  /** Whether {@link #checkedAtNanos} is set. */
  private boolean watched;

  /** When leases were checked last, or the first one was granted. */
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
   * The lease that a message is about; null if a later message has been handled. There is none for
   * a number of no object, since any node can make these up.
   */
  private @Nullable Lease lease(Sender from, long number, long key, long sequence) {
    Claim claim = new Claim(from.node(), number, key);
    Lease known = leases.get(claim);
    if (known == null) {
      if (!objects.isExported(number)) {
        return null;
      }
      Holder holder = holder(from);
      makeRoom(holder, number);
      known = new Lease(holder);
      leases.put(claim, known);
      holder.claims.computeIfAbsent(number, any -> new ArrayList<>(1)).add(claim);
    } else if (sequence <= known.sequence) {
      return null;
    }
    return known;
  }

  private Holder holder(Sender from) {
    Holder known = holders.get(from.identity());
    if (known != null) {
      return known;
    }
    Object host = from.host();
    if (holders.size() >= MOST_HOLDERS) {
      throw new IllegalArgumentException(
          holders.size() + " nodes hold objects of this one already: no lease for another");
    }
    if (host != null && holdersOfHost.getOrDefault(host, 0) >= MOST_HOLDERS_OF_HOST) {
      throw new IllegalArgumentException(
          MOST_HOLDERS_OF_HOST
              + " nodes of "
              + host
              + " hold objects of this one already: no lease for another of that host");
    }
    Holder made = new Holder(from.identity(), host);
    holders.put(made.identity, made);
    if (host != null) {
      holdersOfHost.merge(host, 1, Integer::sum);
    }
    return made;
  }

  /** Forgets the oldest cleaned key of an object for which a holder has shown many. */
  private void makeRoom(Holder holder, long number) {
    List<Claim> shown = holder.claims.get(number);
    if (shown == null || shown.size() < MOST_KEYS) {
      return;
    }
    for (Claim each : shown) {
      Lease lease = leases.get(each);
      if (lease == null || !lease.held) {
        leases.remove(each);
        shown.remove(each);
        return;
      }
    }
    throw new IllegalArgumentException(
        "object "
            + number
            + " is held by "
            + MOST_KEYS
            + " keys of one node: no lease for another");
  }

  /** Forgets a lease that has ended; needs no memory. */
  private void forget(Claim claim, Holder holder) {
    List<Claim> shown = holder.claims.get(claim.number);
    if (shown == null) {
      return;
    }
    shown.remove(claim);
    if (!shown.isEmpty()) {
      return;
    }
    holder.claims.remove(claim.number);
    if (holder.claims.isEmpty() && holders.remove(holder.identity, holder) && holder.host != null) {
      holdersOfHost.computeIfPresent(holder.host, (host, count) -> count == 1 ? null : count - 1);
    }
  }

  synchronized int heldObjects() {
    return holds.heldObjects();
  }

  synchronized void close() {
    closed = true;
    checker.stop();
  }

  private void watch() {
    if (!closed && !leases.isEmpty()) {
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

  /** Ends the leases that were not renewed; false if none is left. */
  private synchronized boolean expireAll() {
    long now = System.nanoTime();
    expire(now, stalledNanos(now - checkedAtNanos, roundMillis() * 1_000_000));
    checkedAtNanos = now;
    watched = !closed && !leases.isEmpty();
    return watched;
  }

  /**
   * The time for which this JVM was stopped. It does not count, as messages of holders that renewed
   * meanwhile still wait to be read.
   */
  private static long stalledNanos(long elapsedNanos, long roundNanos) {
    return elapsedNanos > 2 * roundNanos ? elapsedNanos - roundNanos : 0;
  }

  /** A lease that cannot be ended for want of memory is ended in the next round. */
  private void expire(long now, long stalledNanos) {
    for (Iterator<Map.Entry<Claim, Lease>> all = leases.entrySet().iterator(); all.hasNext(); ) {
      Map.Entry<Claim, Lease> entry = all.next();
      Lease lease = entry.getValue();
      lease.untilNanos += stalledNanos;
      if (now - lease.untilNanos > 0) {
        if (lease.held) {
          holds.remove(entry.getKey().number);
          lease.held = false;
        }
        forget(entry.getKey(), lease.holder);
        all.remove();
      }
    }
  }

  /** A node that holds objects, and the keys that it has shown for each. */
  private static final class Holder {
    final Object identity;
    final @Nullable Object host;
    final Map<Long, List<Claim>> claims = new HashMap<>();

    Holder(Object identity, @Nullable Object host) {
      this.identity = identity;
      this.host = host;
    }
  }

  /** The lease of one object for one holder and key. */
  private static final class Lease {
    final Holder holder;

    long sequence = Long.MIN_VALUE;
    long untilNanos = System.nanoTime();
    boolean held;

    Lease(Holder holder) {
      this.holder = holder;
    }

    void extend(long messageSequence, long millis) {
      sequence = messageSequence;
      untilNanos = System.nanoTime() + millis * 1_000_000;
    }
  }
}

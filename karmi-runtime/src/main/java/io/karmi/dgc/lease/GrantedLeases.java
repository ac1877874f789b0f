package io.karmi.dgc.lease;

import io.karmi.dgc.Background;
import io.karmi.dgc.ExportedObjects;
import io.karmi.dgc.HolderCounts;
import io.karmi.dgc.Sender;
import io.karmi.guard.Ledger;
import io.karmi.id.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Leases that an owner has granted: which node holds which objects, and until when. Thread-safe.
 *
 * <p>There is a lease for each object, holder and key. So a lost clean costs one lease only. Nor
 * does one place by which a holder knows an object end a lease of another place: references are
 * made by others, and may lie about it. The number of the last message about a lease is kept until
 * the lease would have ended, also after a clean: a message that arrives late must neither revive
 * nor drop a reference. What is remembered so has no room but in one half of the ledger: the other
 * one is for what is held.
 *
 * <p>An object whose holder has fallen silent is released after one lease and a quarter at most.
 */
final class GrantedLeases {
  private static final long CHECKS_PER_LEASE = 4;

  /** Bytes that a holder takes, with its tables and the first objects in them. */
  static final long HOLDER_BYTES = 512;

  /** Bytes that a lease takes, with its places in the tables. */
  static final long LEASE_BYTES = 256;

  /** Upper bound of the keys that a holder shows for one object; it has one for each place. */
  private static final int MAXIMUM_KEYS = 16;

  private final ExportedObjects objects;
  private final Background.Service checker;
  private final long leaseMillis;
  private final Ledger ledger;
  private final LongSupplier nanoClock;

  private final Map<Claim, Lease> leases = new HashMap<>();

  /** By the identity that has shown a key first, and not by the id that it claims. */
  private final Map<Object, Holder> holders = new HashMap<>();

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

  /** Time for which this JVM was stopped so far: it counts for no lease. */
  private long stoppedNanos;

  private boolean closed;

  /**
   * @param ledger of the bytes that others make it remember
   * @param nanoClock as {@link System#nanoTime}
   */
  GrantedLeases(
      ExportedObjects objects,
      Background background,
      long leaseMillis,
      Ledger ledger,
      LongSupplier nanoClock) {
    this.objects = objects;
    this.ledger = ledger;
    this.nanoClock = nanoClock;
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
    try {
      for (int i = LeaseMessage.FIRST_NUMBER; i < message.length; i += LeaseMessage.STEP) {
        Lease lease = lease(from, message[i], message[i + 1], message[1], true);
        if (lease != null && objects.hold(message[i])) {
          extend(lease, message[1], duration);
          if (!lease.held) {
            holds.add(message[i]);
            lease.held = true;
          }
        }
      }
    } finally {
      watch();
    }
    return duration;
  }

  private synchronized void clean(Sender from, long[] message) {
    try {
      for (int i = LeaseMessage.FIRST_NUMBER; i < message.length; i += LeaseMessage.STEP) {
        Lease lease = lease(from, message[i], message[i + 1], message[1], false);
        if (lease != null) {
          clean(lease, new Claim(from.node(), message[i], message[i + 1]), message[1]);
        }
      }
    } finally {
      watch();
    }
  }

  /** Whether there is room for what is not held any more. */
  private boolean mayRemember() {
    return ledger.taken() <= ledger.most() / 2;
  }

  /** Ends a lease, of which the number of its last message is remembered where there is room. */
  private void clean(Lease lease, Claim claim, long sequence) {
    extend(lease, sequence, leaseMillis);
    if (lease.held) {
      holds.remove(claim.number);
      lease.held = false;
    }
    if (!mayRemember() || lease.takenBytes == 0 && !takeRoom(lease)) {
      leases.remove(claim);
      forget(claim, lease);
    }
  }

  /**
   * The lease that a message is about; null if a later message has been handled. There is none for
   * a number of no object, since any node can make these up.
   *
   * <p>The first lease of an object takes no room while it is held: there are no more of these than
   * the program has exported objects.
   */
  private @Nullable Lease lease(Sender from, long number, long key, long sequence, boolean dirty) {
    Claim claim = new Claim(from.node(), number, key);
    Lease known = leases.get(claim);
    if (known != null) {
      return sequence <= known.sequence ? null : known;
    }
    if (!objects.isExported(number) || !dirty && !mayRemember()) {
      return null;
    }
    Holder holder = holder(from);
    boolean entered = false;
    try {
      makeRoom(holder, number);
      Lease made = new Lease(holder, now());
      if ((!dirty || holds.isHeld(number)) && !takeRoom(made)) {
        throw noRoom(holder.host);
      }
      leases.put(claim, made);
      holder.claims.computeIfAbsent(number, any -> new ArrayList<>(1)).add(claim);
      entered = true;
      return made;
    } finally {
      if (!entered) {
        forgetIfIdle(holder);
      }
    }
  }

  private boolean takeRoom(Lease lease) {
    boolean taken = ledger.take(lease.holder.host, LEASE_BYTES) == Ledger.Outcome.TAKEN;
    lease.takenBytes = taken ? LEASE_BYTES : 0;
    return taken;
  }

  private Holder holder(Sender from) {
    Holder known = holders.get(from.identity());
    if (known != null) {
      return known;
    }
    Holder made = new Holder(from.identity(), from.host());
    if (ledger.take(made.host, HOLDER_BYTES) != Ledger.Outcome.TAKEN) {
      throw noRoom(made.host);
    }
    holders.put(made.identity, made);
    return made;
  }

  private IllegalArgumentException noRoom(@Nullable Object host) {
    return new IllegalArgumentException(
        "no lease for another node or object of "
            + host
            + ": leases take "
            + ledger.taken()
            + " of "
            + ledger.most()
            + " bytes, those of that host "
            + (host == null ? 0 : ledger.takenBy(host)));
  }

  /** Forgets the oldest cleaned key of an object for which a holder has shown many. */
  private void makeRoom(Holder holder, long number) {
    List<Claim> shown = holder.claims.get(number);
    if (shown == null || shown.size() < MAXIMUM_KEYS) {
      return;
    }
    for (Claim each : shown) {
      Lease lease = leases.get(each);
      if (lease == null || !lease.held) {
        leases.remove(each);
        shown.remove(each);
        if (lease != null) {
          ledger.giveBack(lease.holder.host, lease.takenBytes);
        }
        return;
      }
    }
    throw new IllegalArgumentException(
        "object "
            + number
            + " is held by "
            + MAXIMUM_KEYS
            + " keys of one node: no lease for another");
  }

  /** Forgets a lease that is in the table no more; needs no memory. */
  private void forget(Claim claim, Lease lease) {
    Holder holder = lease.holder;
    ledger.giveBack(holder.host, lease.takenBytes);
    List<Claim> shown = holder.claims.get(claim.number);
    if (shown != null) {
      shown.remove(claim);
      if (shown.isEmpty()) {
        holder.claims.remove(claim.number);
      }
    }
    forgetIfIdle(holder);
  }

  private void forgetIfIdle(Holder holder) {
    if (holder.claims.isEmpty() && holders.remove(holder.identity, holder)) {
      ledger.giveBack(holder.host, HOLDER_BYTES);
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
        checkedAtNanos = nanoClock.getAsLong();
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
    long at = nanoClock.getAsLong();
    stoppedNanos += stalledNanos(at - checkedAtNanos, roundMillis() * 1_000_000);
    checkedAtNanos = at;
    expire(at - stoppedNanos);
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

  /** The time of leases, which stands still while this JVM is stopped. */
  private long now() {
    return nanoClock.getAsLong() - stoppedNanos;
  }

  private void extend(Lease lease, long messageSequence, long millis) {
    lease.sequence = messageSequence;
    lease.untilNanos = now() + millis * 1_000_000;
  }

  /** A lease that cannot be ended for want of memory is ended in the next round. */
  private void expire(long now) {
    for (Iterator<Map.Entry<Claim, Lease>> all = leases.entrySet().iterator(); all.hasNext(); ) {
      Map.Entry<Claim, Lease> entry = all.next();
      Lease lease = entry.getValue();
      if (now - lease.untilNanos > 0) {
        if (lease.held) {
          holds.remove(entry.getKey().number);
          lease.held = false;
        }
        all.remove();
        forget(entry.getKey(), lease);
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
    long untilNanos;
    boolean held;

    /** Taken of the ledger: nothing by the first lease of an object. */
    long takenBytes;

    Lease(Holder holder, long now) {
      this.holder = holder;
      this.untilNanos = now;
    }
  }
}

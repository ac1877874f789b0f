package io.karmi.dgc.lease;

import io.karmi.dgc.Messenger;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

/**
 * The holder's half: which objects this node has references to. Thread-safe.
 *
 * <p>All references to one object share a token. When the token is unreachable no reference is
 * left, and a clean goes out. One thread does this, and renews the leases when half of their time
 * is over; it lives as long as something is held.
 */
final class HeldReferences {
  private static final long MINIMUM_WAIT_MILLIS = 1;

  private final Messenger messenger;
  private final BiConsumer<String, Runnable> threads;
  private final long leaseMillis;
  private final Map<NodeId, Owner> owners = new ConcurrentHashMap<>();
  private final ReferenceQueue<Object> dropped = new ReferenceQueue<>();
  private final AtomicLong sequence = new AtomicLong();
  private boolean tended;
  private volatile boolean closed;

  HeldReferences(Messenger messenger, BiConsumer<String, Runnable> threads, long leaseMillis) {
    this.messenger = messenger;
    this.threads = threads;
    this.leaseMillis = leaseMillis;
  }

  /** Tokens for references that have arrived, after their owners were told. */
  List<Object> arrived(List<ObjectId> references) {
    Map<NodeId, Map<Long, Object>> tokens = new HashMap<>();
    Map<NodeId, List<ObjectId>> byNode = new LinkedHashMap<>();
    for (ObjectId id : references) {
      byNode.computeIfAbsent(id.node(), n -> new ArrayList<>()).add(id);
    }
    byNode.forEach((node, ids) -> tokens.put(node, arrived(node, ids)));
    if (!references.isEmpty()) {
      tend();
    }
    List<Object> all = new ArrayList<>(references.size());
    for (ObjectId id : references) {
      all.add(tokens.get(id.node()).get(id.number()));
    }
    return all;
  }

  private Map<Long, Object> arrived(NodeId node, List<ObjectId> ids) {
    Map<Long, Object> tokens = null;
    while (tokens == null) {
      Owner owner =
          owners.computeIfAbsent(node, n -> new Owner(messenger, dropped, leaseMillis, sequence));
      tokens = owner.arrived(ids);
      if (tokens == null) {
        owners.remove(node, owner);
      }
    }
    return tokens;
  }

  private synchronized void tend() {
    if (!tended && !closed) {
      tended = true;
      threads.accept("KaRMI Lease Renewer", this::tendAll);
    }
  }

  private void tendAll() {
    try {
      while (!isDone()) {
        Object first = dropped.remove(millisToRenewal());
        for (Object gone = first; gone != null; gone = dropped.poll()) {
          ((Owner.Drop) gone).note();
        }
        long now = System.nanoTime();
        for (Owner owner : owners.values()) {
          owner.tend(now);
        }
        owners.values().removeIf(Owner::retire);
      }
    } catch (InterruptedException e) {
      synchronized (this) {
        tended = false;
      }
    }
  }

  private synchronized boolean isDone() {
    if (closed || owners.isEmpty()) {
      tended = false;
      return true;
    }
    return false;
  }

  private long millisToRenewal() {
    long now = System.nanoTime();
    long nanos = Long.MAX_VALUE;
    for (Owner owner : owners.values()) {
      nanos = Math.min(nanos, owner.renewAtNanos() - now);
    }
    return Math.max(MINIMUM_WAIT_MILLIS, nanos / 1_000_000);
  }

  /** Tells all owners that nothing is held any more. */
  void close() {
    closed = true;
    for (Owner owner : owners.values()) {
      owner.cleanAll();
    }
  }
}

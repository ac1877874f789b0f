package io.karmi.dgc.lease;

import io.karmi.dgc.HeldObject;
import io.karmi.dgc.Messenger;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

/**
 * The holder's half: which objects this node has references to. Thread-safe.
 *
 * <p>One thread notices what is not referenced any more, and when a lease is to be renewed; it
 * lives as long as something is held. What is to be sent is sent by a thread per owner, so that one
 * that does not answer costs the leases of no other.
 */
final class HeldReferences {
  private static final long MINIMUM_WAIT_MILLIS = 1;

  /** How often the thread looks whether a message has been sent. */
  private static final long WAIT_FOR_WORK_MILLIS = 100;

  private static final long CLOSING_MILLIS = 2_000;

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
      all.add(Objects.requireNonNull(tokens.get(id.node())).get(id.number()));
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
        Reference<?> gone = dropped.remove(millisToNextMessage());
        while (gone != null) {
          HeldObject.note(gone);
          gone = dropped.poll();
        }
        long now = System.nanoTime();
        for (Owner owner : owners.values()) {
          if (owner.beginMessages(now)) {
            threads.accept("KaRMI Lease Messages", owner::sendMessages);
          }
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

  private long millisToNextMessage() {
    long now = System.nanoTime();
    long millis = Long.MAX_VALUE;
    for (Owner owner : owners.values()) {
      millis =
          Math.min(
              millis,
              owner.isSending()
                  ? WAIT_FOR_WORK_MILLIS
                  : (owner.nextMessageNanos() - now) / 1_000_000);
    }
    return Math.max(MINIMUM_WAIT_MILLIS, millis);
  }

  /** Tells all owners that nothing is held any more; waits a moment, and not for the last one. */
  void close() {
    closed = true;
    List<Owner> all = new ArrayList<>(owners.values());
    CountDownLatch told = new CountDownLatch(all.size());
    for (Owner owner : all) {
      threads.accept(
          "KaRMI Lease Messages",
          () -> {
            owner.cleanAll();
            told.countDown();
          });
    }
    try {
      told.await(CLOSING_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

package io.karmi.dgc.lease;

import io.karmi.dgc.ExportedObjects;
import io.karmi.id.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * The owner's half: which node holds which objects, and until when. Thread-safe.
 *
 * <p>For each holder and object the number of the last message about it is kept, also after a
 * clean, until the lease would have ended: a message that arrives late must neither revive nor drop
 * a reference.
 */
final class GrantedLeases {
  private static final long CHECKS_PER_LEASE = 2;

  private final ExportedObjects objects;
  private final BiConsumer<String, Runnable> threads;
  private final long leaseMillis;
  private final Map<NodeId, Holder> holders = new HashMap<>();

  /** How many nodes hold an object; objects that nobody holds are absent. */
  private final Map<Long, Integer> holds = new HashMap<>();

  private boolean watched;
  private boolean closed;

  GrantedLeases(ExportedObjects objects, BiConsumer<String, Runnable> threads, long leaseMillis) {
    this.objects = objects;
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
    Holder holder = holders.computeIfAbsent(from, node -> new Holder());
    holder.extend(System.nanoTime() + duration * 1_000_000);
    for (int i = LeaseMessage.FIRST_NUMBER; i < message.length; i++) {
      if (holder.isNews(message[i], message[1]) && objects.hold(message[i])) {
        if (holder.set(message[i], message[1], true)) {
          holds.merge(message[i], 1, Integer::sum);
        }
      }
    }
    watch();
    return duration;
  }

  private synchronized void clean(NodeId from, long[] message) {
    Holder holder = holders.get(from);
    if (holder == null) {
      return;
    }
    for (int i = LeaseMessage.FIRST_NUMBER; i < message.length; i++) {
      if (holder.isNews(message[i], message[1]) && holder.set(message[i], message[1], false)) {
        release(message[i]);
      }
    }
  }

  private void release(long number) {
    Integer left = holds.computeIfPresent(number, (n, count) -> count == 1 ? null : count - 1);
    if (left == null) {
      objects.letGo(number);
    }
  }

  synchronized int heldObjects() {
    return holds.size();
  }

  synchronized void close() {
    closed = true;
    notifyAll();
  }

  private void watch() {
    if (!watched && !closed) {
      watched = true;
      threads.accept("KaRMI Lease Checker", this::expireAll);
    }
  }

  /** Forgets holders whose lease has ended, as long as there are any. */
  private synchronized void expireAll() {
    try {
      while (!closed && !holders.isEmpty()) {
        wait(Math.max(1, leaseMillis / CHECKS_PER_LEASE));
        expire(System.nanoTime());
      }
    } catch (InterruptedException e) {
      // the thread is the runtime's own; somebody wants it to end
    } finally {
      watched = false;
    }
  }

  private void expire(long now) {
    List<Long> released = new ArrayList<>();
    for (Iterator<Holder> all = holders.values().iterator(); all.hasNext(); ) {
      Holder holder = all.next();
      if (holder.isExpired(now)) {
        all.remove();
        released.addAll(holder.heldNumbers());
      } else {
        holder.forgetCleaned();
      }
    }
    released.forEach(this::release);
  }

  /** One node that holds objects. */
  private static final class Holder {
    private final Map<Long, State> states = new HashMap<>();
    private long expiresNanos = System.nanoTime();

    void extend(long untilNanos) {
      if (untilNanos - expiresNanos > 0) {
        expiresNanos = untilNanos;
      }
    }

    boolean isExpired(long now) {
      return now - expiresNanos > 0;
    }

    boolean isNews(long number, long sequence) {
      State state = states.get(number);
      return state == null || sequence > state.sequence;
    }

    /** Notes what a message said; true if it changes anything. */
    boolean set(long number, long sequence, boolean held) {
      State state = states.computeIfAbsent(number, n -> new State());
      boolean changed = state.held != held;
      state.sequence = sequence;
      state.held = held;
      state.checks = 0;
      return changed;
    }

    List<Long> heldNumbers() {
      List<Long> held = new ArrayList<>();
      states.forEach(
          (number, state) -> {
            if (state.held) {
              held.add(number);
            }
          });
      return held;
    }

    /** Forgets cleaned objects after a whole lease. */
    void forgetCleaned() {
      states.values().removeIf(state -> !state.held && ++state.checks > CHECKS_PER_LEASE);
    }
  }

  private static final class State {
    long sequence;
    boolean held;
    int checks;
  }
}

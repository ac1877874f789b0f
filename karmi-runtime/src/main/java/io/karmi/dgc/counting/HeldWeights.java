package io.karmi.dgc.counting;

import io.karmi.dgc.HeldObject;
import io.karmi.dgc.Messenger;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/**
 * The holder's half: the owners of what this node has references to. Thread-safe.
 *
 * <p>One thread notices what is not referenced any more, and lives as long as something is held;
 * what is to be sent is sent by a thread per owner, so that none waits for another.
 */
final class HeldWeights {
  private final Messenger messenger;
  private final BiConsumer<String, Runnable> threads;
  private final Map<NodeId, Owner> owners = new ConcurrentHashMap<>();
  private final ReferenceQueue<Object> dropped = new ReferenceQueue<>();
  private boolean tended;
  private volatile boolean closed;

  HeldWeights(Messenger messenger, BiConsumer<String, Runnable> threads) {
    this.messenger = messenger;
    this.threads = threads;
  }

  /** Tokens for references that have arrived, after their owners were told. */
  List<Object> arrived(List<ObjectId> references, long[] credits) {
    Object[] tokens = new Object[credits.length];
    for (int i = 0; i < tokens.length; i++) {
      if (tokens[i] == null) {
        arrivedOf(references.get(i).node(), references, credits, tokens);
      }
    }
    if (tokens.length > 0) {
      tend();
    }
    return List.of(tokens);
  }

  private void arrivedOf(NodeId node, List<ObjectId> references, long[] credits, Object[] tokens) {
    List<Integer> those = new ArrayList<>();
    for (int i = 0; i < tokens.length; i++) {
      if (references.get(i).node().equals(node)) {
        those.add(i);
      }
    }
    Owner owner;
    do {
      owner = owners.computeIfAbsent(node, n -> new Owner(messenger, dropped));
      if (owner.isRetired()) {
        owners.remove(node, owner);
      }
    } while (!owner.arrived(references, credits, those, tokens));
    settle(node, owner);
  }

  private synchronized void tend() {
    if (!tended && !closed) {
      tended = true;
      threads.accept("KaRMI Reference Counter", this::tendAll);
    }
  }

  private void tendAll() {
    try {
      while (!isDone()) {
        Reference<?> gone = dropped.remove();
        while (gone != null) {
          HeldObject.note(gone);
          gone = dropped.poll();
        }
        owners.forEach(this::settle);
      }
    } catch (InterruptedException e) {
      synchronized (this) {
        tended = false;
      }
    }
  }

  private synchronized boolean isDone() {
    boolean done = closed || owners.values().stream().noneMatch(Owner::isHolding);
    if (done) {
      tended = false;
    }
    return done;
  }

  /** Sends what there is to be said to an owner. */
  private void settle(NodeId node, Owner owner) {
    if (!closed && owner.beginMessages()) {
      threads.accept(
          "KaRMI Counting Messages",
          () -> {
            owner.sendMessages();
            if (owner.isRetired()) {
              owners.remove(node, owner);
            }
          });
    }
  }

  /** Closes all lines: every owner forgets this node. */
  void close() {
    closed = true;
    owners.values().forEach(Owner::close);
  }
}

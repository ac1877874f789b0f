package io.karmi.dgc.counting;

import io.karmi.dgc.Background;
import io.karmi.dgc.DroppedTokens;
import io.karmi.dgc.Messenger;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * The holder's half: the owners of what this node has references to. Thread-safe.
 *
 * <p>One thread notices what is not referenced any more, and lives as long as something is held;
 * what is to be sent is sent by workers, of whom there is a bounded number, and tried again later
 * where an owner does not answer.
 */
final class HeldWeights {
  /** How many messages are under way at a time. */
  private static final int WORKERS = 32;

  private static final long LONGEST_WAIT_MILLIS = 60_000;

  private final Messenger messenger;
  private final Map<NodeId, Owner> owners = new ConcurrentHashMap<>();
  private final DroppedTokens dropped = new DroppedTokens();
  private final Background.Service counter;
  private final Executor workers;
  private volatile boolean closed;

  HeldWeights(Messenger messenger, Background background) {
    this.messenger = messenger;
    counter =
        background.service(
            "KaRMI Reference Counter", () -> dropped.await(millisToRetry()), this::tendAll);
    workers = background.workers("KaRMI Counting Messages", WORKERS);
  }

  /** Tokens for references that have arrived, after their owners were told. */
  List<Object> arrived(List<ObjectId> references, long[] credits) {
    Object[] tokens = new Object[credits.length];
    for (int i = 0; i < tokens.length; i++) {
      if (tokens[i] == null) {
        arrivedOf(references.get(i).node(), references, credits, tokens);
      }
    }
    if (tokens.length > 0 && !closed) {
      counter.ensureRunning();
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

  private long millisToRetry() {
    long now = System.nanoTime();
    long millis = LONGEST_WAIT_MILLIS;
    for (Owner owner : owners.values()) {
      millis = Math.min(millis, owner.millisToRetry(now));
    }
    return millis;
  }

  private boolean tendAll() {
    dropped.noteAll();
    owners.forEach(this::settle);
    return !closed && owners.values().stream().anyMatch(Owner::isBusy);
  }

  /** Sends what there is to be said to an owner. */
  private void settle(NodeId node, Owner owner) {
    if (closed || !owner.beginMessages()) {
      return;
    }
    boolean accepted = false;
    try {
      workers.execute(() -> send(node, owner));
      accepted = true;
    } finally {
      if (!accepted) {
        owner.messagesEnded();
      }
    }
  }

  private void send(NodeId node, Owner owner) {
    try {
      owner.sendMessages();
    } finally {
      if (owner.isRetired()) {
        owners.remove(node, owner);
      } else if (!closed) {
        counter.ensureRunning();
        dropped.wake(); // it may have to be tried again
      }
    }
  }

  /** Closes all lines: every owner forgets this node. */
  void close() {
    closed = true;
    counter.stop();
    owners.values().forEach(Owner::close);
  }
}

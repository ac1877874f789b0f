package io.karmi.dgc.counting;

import io.karmi.dgc.Background;
import io.karmi.dgc.Collector;
import io.karmi.dgc.DroppedTokens;
import io.karmi.dgc.Messenger;
import io.karmi.dgc.Place;
import io.karmi.id.ObjectId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * References that this node holds to objects of others, with their weights, by owner. Thread-safe.
 *
 * <p>One thread notices objects that are not referenced any more, and lives as long as something is
 * held. A bounded number of workers sends the messages, and tries again later where an owner does
 * not answer.
 */
final class HeldWeights {
  /** Upper bound of messages under way. */
  private static final int WORKERS = 32;

  private static final long LONGEST_WAIT_MILLIS = 60_000;

  private final Messenger messenger;
  private final Map<Place, CountingOwner> owners = new ConcurrentHashMap<>();

  /** Owners with an account, by its number, which only the owner and this node know. */
  private final Map<Long, CountingOwner> byAccount = new ConcurrentHashMap<>();

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

  /**
   * Tokens for references that have arrived, after their owners were told.
   *
   * <p>A reference that its owner has counted is held on the account whose number came with it. An
   * owner knows only its own accounts, and may have several, one for each place by which this node
   * knows it. Any other reference is held at the place that it names. No message goes over a
   * connection that the other end has opened: the line is dialled, and the number of its account is
   * a secret of its two ends.
   */
  List<Object> arrived(List<ObjectId> references, long[] credits) {
    Object[] tokens = new Object[credits.length];
    Map<CountingOwner, List<Integer>> counted = new LinkedHashMap<>();
    for (int i = 0; i < tokens.length; i++) {
      CountingOwner owner = counterOf(references.get(i), credits[i]);
      if (owner != null) {
        counted.computeIfAbsent(owner, each -> new ArrayList<>()).add(i);
      }
    }
    counted.forEach((owner, those) -> arrivedOf(owner, references, credits, those, tokens));
    Map<Place, List<Integer>> others = new LinkedHashMap<>();
    for (int i = 0; i < tokens.length; i++) {
      if (tokens[i] == null) {
        others.computeIfAbsent(Place.dialled(references.get(i)), each -> new ArrayList<>()).add(i);
      }
    }
    others.forEach((place, those) -> arrivedAt(place, references, credits, those, tokens));
    if (tokens.length > 0 && !closed) {
      counter.ensureRunning();
    }
    return List.of(tokens);
  }

  /** The owner that has counted a reference; null if it is to be claimed. */
  private @Nullable CountingOwner counterOf(ObjectId reference, long credit) {
    CountingOwner owner = credit == Collector.NO_CREDIT ? null : byAccount.get(credit);
    return owner != null && owner.place.node().equals(reference.node()) ? owner : null;
  }

  /** False if this owner has been retired. */
  private boolean arrivedOf(
      CountingOwner owner,
      List<ObjectId> references,
      long[] credits,
      List<Integer> those,
      Object[] tokens) {
    boolean taken = owner.arrived(references, credits, those, tokens);
    if (taken) {
      settle(owner);
    }
    return taken;
  }

  private void arrivedAt(
      Place place,
      List<ObjectId> references,
      long[] credits,
      List<Integer> those,
      Object[] tokens) {
    CountingOwner owner;
    do {
      owner =
          owners.computeIfAbsent(
              place, each -> new CountingOwner(messenger, dropped, each, byAccount));
      if (owner.isRetired()) {
        owners.remove(place, owner);
      }
    } while (!arrivedOf(owner, references, credits, those, tokens));
  }

  private long millisToRetry() {
    long now = System.nanoTime();
    long millis = LONGEST_WAIT_MILLIS;
    for (CountingOwner owner : owners.values()) {
      millis = Math.min(millis, owner.millisToRetry(now));
    }
    return millis;
  }

  private boolean tendAll() {
    dropped.noteAll();
    owners.values().forEach(this::settle);
    return !closed && owners.values().stream().anyMatch(CountingOwner::isBusy);
  }

  /** Sends an owner what is due. */
  private void settle(CountingOwner owner) {
    if (closed || !owner.beginMessages()) {
      return;
    }
    boolean accepted = false;
    try {
      workers.execute(() -> send(owner));
      accepted = true;
    } finally {
      if (!accepted) {
        owner.messagesEnded();
      }
    }
  }

  private void send(CountingOwner owner) {
    try {
      owner.sendMessages();
    } finally {
      if (owner.isRetired()) {
        owners.remove(owner.place, owner);
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
    owners.values().forEach(CountingOwner::close);
  }
}

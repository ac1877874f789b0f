package io.karmi.dgc.lease;

import io.karmi.dgc.Background;
import io.karmi.dgc.DroppedTokens;
import io.karmi.dgc.Messenger;
import io.karmi.dgc.Place;
import io.karmi.id.ObjectId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * References that this node holds to objects of others. Thread-safe.
 *
 * <p>One service notices objects that are not referenced any more, and leases that must be renewed.
 * It runs as long as something is held. A bounded number of workers sends the messages, since
 * references to made-up owners can arrive by the thousand. An owner that did not answer the last
 * message, or answered late, is left to a few of the workers, those with the fewest failures first.
 * So it delays the leases of no other.
 */
final class HeldReferences {
  /** Milliseconds between two checks whether a message has been sent. */
  private static final long WAIT_FOR_WORK_MILLIS = 100;

  private static final long CLOSING_MILLIS = 2_000;

  /** Upper bound of messages under way to owners that answer in time. */
  private static final int PROMPT_WORKERS = 24;

  /** Upper bound of messages under way to other owners. */
  private static final int LATE_WORKERS = 8;

  /** Upper bound of owners without an answer to which cleans are sent again. */
  private static final int LEAVING_OWNERS = 1_000;

  private final Messenger messenger;
  private final long leaseMillis;
  private final Map<Place, LeasingOwner> owners = new ConcurrentHashMap<>();
  private final DroppedTokens dropped = new DroppedTokens();
  private final AtomicLong sequence = new AtomicLong();
  private final Background.Service renewer;
  private final Executor promptWorkers;
  private final Executor lateWorkers;
  private final Semaphore late = new Semaphore(LATE_WORKERS);

  /** When the service begins its next round; a message that is due earlier must wake it. */
  private volatile long wakesAtNanos = System.nanoTime();

  private volatile boolean choosing = true;
  private volatile boolean closed;

  HeldReferences(Messenger messenger, Background background, long leaseMillis) {
    this.messenger = messenger;
    this.leaseMillis = leaseMillis;
    renewer = background.service("KaRMI Lease Renewer", this::await, this::tendAll);
    promptWorkers = background.workers("KaRMI Lease Messages", PROMPT_WORKERS);
    lateWorkers = background.workers("KaRMI Late Lease Messages", LATE_WORKERS);
  }

  /** Tokens for references that have arrived, after their owners were told. */
  List<Object> arrived(List<ObjectId> references) {
    Map<Place, Map<Long, Object>> tokens = new HashMap<>();
    Map<Place, List<ObjectId>> byPlace = new LinkedHashMap<>();
    List<Place> places = new ArrayList<>(references.size());
    for (ObjectId id : references) {
      Place place = Place.of(id); // once: calls resolve addresses meanwhile
      places.add(place);
      byPlace.computeIfAbsent(place, any -> new ArrayList<>()).add(id);
    }
    byPlace.forEach((place, ids) -> tokens.put(place, arrived(place, ids)));
    List<Object> all = new ArrayList<>(references.size());
    for (int i = 0; i < places.size(); i++) {
      Map<Long, Object> ofPlace = Objects.requireNonNull(tokens.get(places.get(i)));
      all.add(ofPlace.get(references.get(i).number()));
    }
    return all;
  }

  private Map<Long, Object> arrived(Place place, List<ObjectId> ids) {
    while (true) {
      LeasingOwner owner =
          owners.computeIfAbsent(
              place, each -> new LeasingOwner(messenger, dropped, leaseMillis, sequence));
      try {
        Map<Long, Object> tokens = owner.arrived(ids);
        if (tokens != null) {
          return tokens;
        }
      } finally {
        tend(owner);
      }
      owners.remove(place, owner);
    }
  }

  private void tend(LeasingOwner owner) {
    if (!closed) {
      renewer.ensureRunning();
      if (choosing || owner.nextMessageNanos() - wakesAtNanos < 0) {
        dropped.wake();
      }
    }
  }

  /** Waits until a token is dropped or a message is due. */
  private void await() throws InterruptedException {
    choosing = true;
    long now = System.nanoTime();
    long millis = millisToNextMessage(now);
    wakesAtNanos = now + TimeUnit.MILLISECONDS.toNanos(millis);
    choosing = false;
    dropped.await(millis);
  }

  private long millisToNextMessage(long now) {
    long millis = LeasingOwner.LAST_RETRY_MILLIS;
    for (LeasingOwner owner : owners.values()) {
      long due = (owner.nextMessageNanos() - now) / 1_000_000;
      if (owner.isSending()) {
        due = WAIT_FOR_WORK_MILLIS;
      } else if (owner.isLate()) {
        due = Math.max(due, WAIT_FOR_WORK_MILLIS);
      }
      millis = Math.min(millis, due);
    }
    return Math.max(1, millis);
  }

  private boolean tendAll() {
    dropped.noteAll();
    long now = System.nanoTime();
    List<LeasingOwner> dueLate = new ArrayList<>();
    for (LeasingOwner owner : owners.values()) {
      if (owner.isDue(now)) {
        if (owner.isLate()) {
          dueLate.add(owner);
        } else {
          send(owner, promptWorkers, owner::sendMessages);
        }
      }
    }
    sendLate(dueLate);
    boundLeaving();
    owners.values().removeIf(LeasingOwner::retire);
    return !closed && !owners.isEmpty();
  }

  /**
   * Bounds the owners that are to get cleans, since strangers can name any number of them. Without
   * a clean the lease expires.
   */
  private void boundLeaving() {
    int leaving = 0;
    for (LeasingOwner owner : owners.values()) {
      if (owner.isLeaving() && ++leaving > LEAVING_OWNERS) {
        owner.forgetCleans();
      }
    }
  }

  /** Sends to as many owners as there are workers for; the others follow when those are done. */
  private void sendLate(List<LeasingOwner> due) {
    /* Not comparingInt: in a JVM that has just started the JDK would make classes for it. */
    due.sort((left, right) -> Integer.compare(left.failures(), right.failures()));
    for (LeasingOwner owner : due) {
      if (!late.tryAcquire()) {
        return;
      }
      boolean begun = false;
      try {
        begun = send(owner, lateWorkers, () -> sendLate(owner));
      } finally {
        if (!begun) {
          late.release();
        }
      }
    }
  }

  private void sendLate(LeasingOwner owner) {
    try {
      owner.sendMessages();
    } finally {
      late.release();
    }
  }

  private static boolean send(LeasingOwner owner, Executor workers, Runnable messages) {
    if (!owner.beginMessages()) {
      return false;
    }
    boolean accepted = false;
    try {
      workers.execute(messages);
      accepted = true;
    } finally {
      if (!accepted) {
        owner.messagesEnded();
      }
    }
    return true;
  }

  /** The number of owners of which something is held, or to which a message is to be sent. */
  int owners() {
    return owners.size();
  }

  /** Tells all owners that nothing is held any more; waits a moment for that, and no longer. */
  void close() {
    closed = true;
    renewer.stop();
    List<LeasingOwner> all = new ArrayList<>(owners.values());
    CountDownLatch told = new CountDownLatch(all.size());
    for (LeasingOwner owner : all) {
      promptWorkers.execute(
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

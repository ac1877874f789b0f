package io.karmi.dgc.counting;

import io.karmi.dgc.Collector;
import io.karmi.dgc.DroppedTokens;
import io.karmi.dgc.HeldObject;
import io.karmi.dgc.Messenger;
import io.karmi.dgc.Place;
import io.karmi.id.ObjectId;
import java.io.Closeable;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Owner of objects that this node holds, at a place that references name, and the line to it.
 * Thread-safe.
 *
 * <p>Two locks, in this order: {@link #turn} is held while a message is under way, so that the
 * owner gets them one by one and recognizes a repeated one; the monitor guards the weights and is
 * never held while sending.
 */
final class CountingOwner {
  private static final System.Logger LOG = System.getLogger("io.karmi.dgc.counting");
  private static final int ATTEMPTS = 3;
  private static final int RECONNECTS = 5;
  private static final long FIRST_RETRY_MILLIS = 500;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Messenger messenger;
  private final DroppedTokens dropped;
  private final ReentrantLock turn = new ReentrantLock();
  private final Map<Long, Held> held = new HashMap<>();
  private final Map<Long, Long> toRelease = new HashMap<>();

  final Place place;

  /** The owners that have an account, by its number. */
  private final Map<Long, CountingOwner> byAccount;

  private final ObjectId target;

  /** The account on which references are counted, or {@link Collector#NO_CREDIT} without a line. */
  private long account;

  private @Nullable Closeable line;
  private long sequence;
  private int arriving;
  private boolean sending;

  /** Number of messages in a row without an answer. */
  private int failures;

  private long retryAtNanos;

  /** Whether references came that were not claimed, as there was no time to. */
  private boolean unclaimed;

  /** Set if the owner does not answer; the next reference that arrives tries again. */
  private boolean unreachable;

  private boolean retired;

  CountingOwner(
      Messenger messenger, DroppedTokens dropped, Place place, Map<Long, CountingOwner> byAccount) {
    this.messenger = messenger;
    this.dropped = dropped;
    this.place = place;
    this.byAccount = byAccount;
    target = place.target();
  }

  /**
   * Notes references, and claims those that the owner has not counted.
   *
   * @param those indexes of the references to the owner's objects
   * @param tokens takes their tokens
   * @return false if this owner has been retired
   */
  boolean arrived(List<ObjectId> references, long[] credits, List<Integer> those, Object[] tokens) {
    List<Long> unclaimed = new ArrayList<>();
    synchronized (this) {
      if (retired) {
        return false;
      }
      arriving++;
      unreachable = false;
      for (int i : those) {
        long number = references.get(i).number();
        Held entry = held.computeIfAbsent(number, this::enter);
        tokens[i] = entry.token();
        if (credits[i] != Collector.NO_CREDIT && credits[i] == account) {
          entry.weight++;
        } else if (entry.weight == 0) {
          unclaimed.add(number);
        }
      }
    }
    try {
      if (!unclaimed.isEmpty()) {
        claim(unclaimed);
      }
    } finally {
      synchronized (this) {
        arriving--;
      }
    }
    return true;
  }

  /** Enters an object, with the weight that has not been given back yet. */
  private Held enter(long number) {
    Held entry = new Held(number);
    Long kept = toRelease.remove(number);
    entry.weight = kept == null ? 0 : kept;
    return entry;
  }

  private void claim(List<Long> numbers) {
    if (!takeTurn()) {
      leaveForLater();
      return;
    }
    try {
      if (account != Collector.NO_CREDIT && isClaimed(unclaimed(numbers))) {
        return;
      }
      open();
    } catch (IOException | RuntimeException | VirtualMachineError e) {
      failed(e);
    } finally {
      turn.unlock();
    }
  }

  /** False if other messages take longer than this thread has time. */
  private boolean takeTurn() {
    try {
      return turn.tryLock(messenger.leftMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return turn.tryLock();
    }
  }

  /** What was not claimed is claimed by those who send messages. */
  private synchronized void leaveForLater() {
    unclaimed = true;
  }

  private synchronized boolean takeUnclaimed() {
    boolean taken = unclaimed;
    unclaimed = false;
    return taken;
  }

  /** False if the line was lost. */
  private boolean isClaimed(List<Long> numbers) {
    try {
      sendClaims(numbers);
      return true;
    } catch (IOException e) {
      failed(e);
      return false;
    }
  }

  /** Without those that another thread has claimed while this one waited for its turn. */
  private synchronized List<Long> unclaimed(List<Long> numbers) {
    List<Long> left = new ArrayList<>();
    for (long number : numbers) {
      Held entry = held.get(number);
      if (entry != null && entry.weight == 0) {
        left.add(number);
      }
    }
    return left;
  }

  /** Opens a line, and claims all that is held: nothing is on the new account. */
  private void open() throws IOException {
    long number;
    do {
      number = RANDOM.nextLong();
    } while (number == Collector.NO_CREDIT);
    synchronized (this) {
      /* Before the owner knows the account: it may count on it before its answer is here. */
      byAccount.put(number, this);
      account = number;
      sequence = 0;
      unclaimed = false;
      forgetWeights();
    }
    Closeable opened =
        messenger.openLine(target, CountingMessage.open(number), Messenger.ANSWER_MILLIS);
    synchronized (this) {
      line = opened;
    }
    sendClaims(unclaimed(numbersHeld()));
  }

  private synchronized List<Long> numbersHeld() {
    return new ArrayList<>(held.keySet());
  }

  private void sendClaims(List<Long> numbers) throws IOException {
    for (int from = 0; from < numbers.size(); from += CountingMessage.MAXIMUM_OBJECTS) {
      int to = Math.min(numbers.size(), from + CountingMessage.MAXIMUM_OBJECTS);
      List<Long> part = numbers.subList(from, to);
      send(CountingMessage.claim(account, ++sequence, part));
      claimed(part);
    }
  }

  private synchronized void claimed(List<Long> numbers) {
    for (long number : numbers) {
      Held entry = held.get(number);
      if (entry != null) {
        entry.weight++;
      } else {
        toRelease.merge(number, 1L, Long::sum);
      }
    }
  }

  /** Repeats a message whose answer got lost; the owner knows it by its number. */
  private void send(long[] message) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        long answer = messenger.send(target, message, Messenger.ANSWER_MILLIS);
        if (answer == CountingMessage.NO_ACCOUNT) {
          throw new IOException("the line was lost");
        }
        return;
      } catch (IOException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  /**
   * Without an answer it is unknown what was counted: the line ends, and a new one starts afresh.
   */
  private void failed(Throwable why) {
    LOG.log(System.Logger.Level.DEBUG, "node " + place.node() + " does not count", why);
    closeLine();
  }

  private void closeLine() {
    Closeable open;
    synchronized (this) {
      open = line;
      line = null;
      byAccount.remove(account, this);
      account = Collector.NO_CREDIT;
      forgetWeights();
    }
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        LOG.log(System.Logger.Level.DEBUG, "closing a line failed", e);
      }
    }
  }

  private void forgetWeights() {
    toRelease.clear();
    held.values().forEach(entry -> entry.weight = 0);
  }

  synchronized boolean isRetired() {
    return retired;
  }

  /** True if something is held, or a message remains to be sent. */
  synchronized boolean isBusy() {
    return !retired && (!held.isEmpty() || sending || hasMessages());
  }

  /** Milliseconds until the next attempt; very many if there is none to be made. */
  synchronized long millisToRetry(long now) {
    boolean waits = failures > 0 && !sending && !retired && hasMessages();
    return waits ? (retryAtNanos - now) / 1_000_000 : Long.MAX_VALUE;
  }

  /** True if a message is due; {@link #sendMessages} must follow then. */
  synchronized boolean beginMessages() {
    boolean early = failures > 0 && System.nanoTime() - retryAtNanos < 0;
    if (sending || retired || early || !hasMessages()) {
      return false;
    }
    sending = true;
    return true;
  }

  private boolean hasMessages() {
    boolean over = held.isEmpty() && arriving == 0;
    boolean lost = !held.isEmpty() && account == Collector.NO_CREDIT && arriving == 0;
    return over || !toRelease.isEmpty() || (lost || unclaimed) && !unreachable;
  }

  /**
   * Gives back what is not referenced any more, opens a line again that was lost, and closes the
   * line of an owner of which nothing is held.
   */
  void sendMessages() {
    boolean ended = false;
    try {
      do {
        ended = endMessages();
      } while (!ended && sendOnce());
    } finally {
      if (!ended) {
        tryLater();
      }
    }
  }

  /** Nothing is being sent any more. */
  synchronized void messagesEnded() {
    sending = false;
  }

  private synchronized void tryLater() {
    sending = false;
    if (++failures > RECONNECTS) {
      failures = 0;
      unreachable = true;
    } else {
      retryAtNanos = System.nanoTime() + (FIRST_RETRY_MILLIS << failures) * 1_000_000;
    }
  }

  private synchronized void answered() {
    failures = 0;
  }

  private boolean sendOnce() {
    turn.lock();
    try {
      if (isLost()) {
        open();
      } else {
        if (takeUnclaimed()) {
          sendClaims(unclaimed(numbersHeld()));
        }
        release();
      }
      answered();
      return true;
    } catch (IOException | RuntimeException | VirtualMachineError e) {
      failed(e);
      return false;
    } finally {
      turn.unlock();
    }
  }

  private synchronized boolean isLost() {
    return !held.isEmpty() && account == Collector.NO_CREDIT;
  }

  private void release() throws IOException {
    List<Map.Entry<Long, Long>> weights;
    synchronized (this) {
      weights = new ArrayList<>();
      toRelease.forEach((number, weight) -> weights.add(Map.entry(number, weight)));
      toRelease.clear();
    }
    for (int from = 0; from < weights.size(); from += CountingMessage.MAXIMUM_OBJECTS) {
      int to = Math.min(weights.size(), from + CountingMessage.MAXIMUM_OBJECTS);
      send(CountingMessage.release(account, ++sequence, weights.subList(from, to)));
    }
  }

  /** True if no message remains; an owner of which nothing is held is retired then. */
  private boolean endMessages() {
    synchronized (this) {
      boolean over = held.isEmpty() && arriving == 0;
      if (!over && hasMessages()) {
        return false;
      }
      sending = false;
      retired = over;
      if (!over) {
        return true;
      }
    }
    closeLine();
    return true;
  }

  void close() {
    synchronized (this) {
      retired = true;
    }
    closeLine();
  }

  private final class Held extends HeldObject {
    private final long number;

    /** How often the owner has counted it. */
    long weight;

    Held(long number) {
      super(CountingOwner.this, dropped);
      this.number = number;
    }

    @Override
    protected void dropped() {
      if (held.get(number) == this) {
        if (weight > 0) {
          toRelease.merge(number, weight, Long::sum);
          weight = 0;
        }
        held.remove(number);
      }
    }
  }
}

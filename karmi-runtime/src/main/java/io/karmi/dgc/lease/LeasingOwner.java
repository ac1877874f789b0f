package io.karmi.dgc.lease;

import io.karmi.dgc.DroppedTokens;
import io.karmi.dgc.HeldObject;
import io.karmi.dgc.Messenger;
import io.karmi.id.ObjectId;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.rmi.MarshalException;
import java.rmi.UnmarshalException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Owner of objects that this node holds, at a place that references name. Thread-safe.
 *
 * <p>Messages are sent without the lock. Each has a sequence number, by which the owner orders
 * them.
 */
final class LeasingOwner {
  private static final System.Logger LOG = System.getLogger("io.karmi.dgc.lease");
  private static final long FIRST_RETRY_NANOS = 1_000_000_000L;
  private static final long LAST_RETRY_NANOS = 60 * FIRST_RETRY_NANOS;

  /** The longest time between two attempts to reach an owner. */
  static final long LAST_RETRY_MILLIS = LAST_RETRY_NANOS / 1_000_000;

  /** Time for an answer, in nanoseconds; an owner that takes longer is late. */
  private static final long PROMPT_NANOS = 1_000_000_000L;

  private static final int CLEAN_ATTEMPTS = 5;

  /** How often the time for an answer doubles for an owner that does not answer. */
  private static final int MAXIMUM_DOUBLINGS = 3;

  private static final int MAXIMUM_LAPSES = 10;
  private static final SecureRandom KEYS = new SecureRandom();

  private final Messenger messenger;
  private final DroppedTokens dropped;
  private final long leaseMillis;

  /**
   * Sequence numbers of this node's messages; shared, so that they rise even if this owner is
   * forgotten and met again.
   */
  private final AtomicLong sequence;

  private final Map<Long, Held> held = new HashMap<>();

  /** Objects for which a clean is to be sent, by number. */
  private final Map<Long, Dropped> toClean = new HashMap<>();

  /**
   * An object that is not held any more.
   *
   * @param until the number of the last message before it was dropped
   */
  private record Dropped(long until, long key) {}

  /** One of its objects, to which messages are addressed; set with the first references. */
  @SuppressWarnings("NullAway.Init")
  private ObjectId any;

  /** When everything that is held has to be renewed. */
  private long renewAtNanos;

  /** When {@link #toClean} may be sent. */
  private long cleanAtNanos;

  /** Time from one renewal to the next. */
  private long renewalNanos;

  private long retryNanos = FIRST_RETRY_NANOS;
  private int failedCleans;

  /** Number of messages in a row without an answer. */
  private int failures;

  /** Whether the last answer was late. */
  private boolean slow;

  /** How often an answer was late, or did not come. */
  private int lapses;

  /**
   * Number of answers in time until the owner no longer counts as late. It doubles with each lapse,
   * so that one that answers in time now and then keeps no more workers from others.
   */
  private int probation;

  /** Whether a message was ever answered; until then there is no lease to end. */
  private boolean met;

  private int arriving;
  private boolean sending;
  private boolean retired;

  LeasingOwner(Messenger messenger, DroppedTokens dropped, long leaseMillis, AtomicLong sequence) {
    this.messenger = messenger;
    this.dropped = dropped;
    this.leaseMillis = leaseMillis;
    this.sequence = sequence;
    renewalNanos = LeaseTimes.renewalNanos(leaseMillis);
    cleanAtNanos = System.nanoTime();
    renewAtNanos = cleanAtNanos + renewalNanos;
  }

  /**
   * Notes references, and tells the owner about those that are new.
   *
   * @return the token of each; null if this owner has been {@linkplain #retire retired}
   */
  @Nullable Map<Long, Object> arrived(List<ObjectId> ids) {
    Map<Long, Object> tokens = new HashMap<>();
    List<LeaseMessage.Held> fresh = new ArrayList<>();
    synchronized (this) {
      if (retired) {
        return null;
      }
      arriving++;
    }
    try {
      tell(ids, tokens, fresh);
      awaitTold(tokens.keySet());
      return tokens;
    } finally {
      synchronized (this) {
        arriving--;
      }
    }
  }

  private void tell(List<ObjectId> ids, Map<Long, Object> tokens, List<LeaseMessage.Held> fresh) {
    boolean granted = false;
    CountDownLatch telling = new CountDownLatch(1);
    try {
      long number;
      synchronized (this) {
        any = ids.get(0);
        for (ObjectId id : ids) {
          tokens.computeIfAbsent(id.number(), n -> enter(n, fresh, telling));
        }
        number = sequence.incrementAndGet();
      }
      if (!fresh.isEmpty()) {
        granted = !isLeftForLater() && send(number, fresh);
      }
    } finally {
      if (!fresh.isEmpty()) {
        told(fresh, granted);
        telling.countDown();
      }
    }
  }

  /** True if there is no time to wait for this owner; like one that is late it is told later. */
  private synchronized boolean isLeftForLater() {
    boolean later = messenger.leftMillis() <= 0;
    slow |= later;
    return later;
  }

  private Object enter(Long number, List<LeaseMessage.Held> fresh, CountDownLatch telling) {
    Held entry = held.get(number);
    if (entry == null) {
      Dropped before = toClean.remove(number);
      entry = new Held(number, before == null ? KEYS.nextLong() : before.key, telling);
      fresh.add(new LeaseMessage.Held(number, entry.key));
      held.put(number, entry);
    }
    return entry.token();
  }

  /**
   * Waits for the owner's answers to other threads that have told it of the same objects, as long
   * as this thread has time. A virtual thread that waits for a monitor keeps its carrier, up to JDK
   * 23, and the answer may need that one.
   */
  private void awaitTold(Collection<Long> numbers) {
    boolean interrupted = false;
    for (Long number : numbers) {
      CountDownLatch telling = telling(number);
      long left = Long.MAX_VALUE;
      while (telling != null && telling.getCount() > 0 && left > 0) {
        try {
          left = messenger.leftMillis();
          telling.await(Math.max(1, left), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized @Nullable CountDownLatch telling(Long number) {
    Held entry = held.get(number);
    return entry == null ? null : entry.telling;
  }

  /**
   * Notes what was granted. It is renewed together with the rest, whose time goes on. Needs no
   * memory, as other threads wait for this.
   */
  private synchronized void told(List<LeaseMessage.Held> objects, boolean granted) {
    for (LeaseMessage.Held object : objects) {
      Held entry = held.get(object.number());
      if (entry != null) {
        entry.telling = null;
      }
    }
    renewBefore(System.nanoTime() + (granted ? renewalNanos : FIRST_RETRY_NANOS));
  }

  private void renewBefore(long nanos) {
    if (renewAtNanos - nanos > 0) {
      renewAtNanos = nanos;
    }
  }

  /** Tells the owner that these objects are held; false if it did not answer. */
  private boolean send(long number, List<LeaseMessage.Held> objects) {
    boolean granted = false;
    long begun = System.nanoTime();
    try {
      ObjectId target = any();
      for (int from = 0; from < objects.size(); from += LeaseMessage.MAXIMUM_OBJECTS) {
        int to = Math.min(objects.size(), from + LeaseMessage.MAXIMUM_OBJECTS);
        long[] message =
            LeaseMessage.of(LeaseMessage.DIRTY, number, leaseMillis, objects.subList(from, to));
        long grantedMillis = sendAgain(target, message);
        synchronized (this) {
          renewalNanos = LeaseTimes.renewalNanos(grantedMillis);
        }
      }
      granted = true;
    } catch (IOException | RuntimeException e) {
      LOG.log(System.Logger.Level.DEBUG, "node " + any().node() + " grants no lease", e);
    } finally {
      answered(granted, begun);
    }
    return granted;
  }

  /**
   * Sends a message, a second time if its connection was lost: what is held is known to the owner
   * by nothing else then. By its number the owner sees if it has come before.
   */
  private long sendAgain(ObjectId target, long[] message) throws IOException {
    try {
      return messenger.send(target, message, answerMillis());
    } catch (MarshalException | UnmarshalException e) {
      if (e.getCause() instanceof InterruptedIOException || messenger.leftMillis() <= 0) {
        throw e; // there was no answer in time
      }
      return messenger.send(target, message, answerMillis());
    }
  }

  private synchronized ObjectId any() {
    return any;
  }

  private synchronized long answerMillis() {
    return Messenger.ANSWER_MILLIS << Math.min(failures, MAXIMUM_DOUBLINGS);
  }

  private synchronized void answered(boolean well, long begunNanos) {
    met |= well;
    failures = well ? 0 : failures + 1;
    slow = System.nanoTime() - begunNanos > PROMPT_NANOS;
    if (slow || !well) {
      lapses = Math.min(lapses + 1, MAXIMUM_LAPSES);
      probation = 1 << lapses - 1;
    } else if (probation > 0) {
      probation--;
    }
  }

  /**
   * Whether the owner did not answer the last message, or answered late, or has too often before.
   */
  synchronized boolean isLate() {
    return failures > 0 || slow || probation > 0;
  }

  /** Number of messages in a row without an answer. */
  synchronized int failures() {
    return failures;
  }

  synchronized boolean isDue(long now) {
    return !sending && nextMessageNanos() - now <= 0;
  }

  /** True if no messages are under way; {@link #sendMessages} must follow then. */
  synchronized boolean beginMessages() {
    boolean begun = !sending;
    sending = true;
    return begun;
  }

  /** Renews the leases if it is time, and sends the cleans that are due. */
  void sendMessages() {
    try {
      renew();
      clean();
    } finally {
      messagesEnded();
    }
  }

  synchronized void messagesEnded() {
    sending = false;
  }

  private void renew() {
    long begun = System.nanoTime();
    if (!isRenewalDue(begun)) {
      return;
    }
    boolean granted = false;
    try {
      List<LeaseMessage.Held> all;
      long number;
      synchronized (this) {
        all = new ArrayList<>(held.size());
        held.forEach((object, entry) -> all.add(new LeaseMessage.Held(object, entry.key)));
        number = sequence.incrementAndGet();
        renewAtNanos = begun + renewalNanos;
      }
      granted = send(number, all);
    } finally {
      renewed(granted, begun);
    }
  }

  private synchronized boolean isRenewalDue(long now) {
    return !held.isEmpty() && now - renewAtNanos >= 0;
  }

  private synchronized void renewed(boolean granted, long begun) {
    if (granted) {
      retryNanos = FIRST_RETRY_NANOS;
      renewBefore(begun + renewalNanos);
    } else {
      renewAtNanos = System.nanoTime() + Math.min(retryNanos, renewalNanos / 2);
      retryNanos = Math.min(2 * retryNanos, LAST_RETRY_NANOS);
    }
  }

  private void clean() {
    Map<Long, Dropped> cleaned;
    long number;
    synchronized (this) {
      if (toClean.isEmpty() || cleanAtNanos - System.nanoTime() > 0) {
        return;
      }
      cleaned = new HashMap<>(toClean);
      number = sequence.incrementAndGet();
    }
    boolean sent = false;
    long begun = System.nanoTime();
    try {
      List<LeaseMessage.Held> objects = new ArrayList<>(cleaned.size());
      cleaned.forEach((object, was) -> objects.add(new LeaseMessage.Held(object, was.key)));
      for (int from = 0; from < objects.size(); from += LeaseMessage.MAXIMUM_OBJECTS) {
        int to = Math.min(objects.size(), from + LeaseMessage.MAXIMUM_OBJECTS);
        messenger.send(
            any(),
            LeaseMessage.of(LeaseMessage.CLEAN, number, 0, objects.subList(from, to)),
            answerMillis());
      }
      sent = true;
    } catch (IOException | RuntimeException e) {
      LOG.log(System.Logger.Level.DEBUG, "clean to node " + any().node() + " failed", e);
    } finally {
      answered(sent, begun);
      cleaned(cleaned, sent);
    }
  }

  /**
   * Notes that cleans were sent. One without an answer is repeated a few times; then the lease
   * expires. An object that was held and dropped again meanwhile is still to be cleaned.
   */
  private synchronized void cleaned(Map<Long, Dropped> numbers, boolean sent) {
    boolean over = sent || ++failedCleans >= CLEAN_ATTEMPTS;
    if (over) {
      failedCleans = 0;
      numbers.forEach(toClean::remove);
    } else {
      cleanAtNanos = System.nanoTime() + FIRST_RETRY_NANOS;
    }
  }

  void cleanAll() {
    synchronized (this) {
      if (met) {
        held.forEach((number, was) -> toClean.put(number, new Dropped(sequence.get(), was.key)));
      }
      held.clear();
      cleanAtNanos = System.nanoTime();
    }
    clean();
  }

  /** True if cleans are all that remains, and the last message had no answer. */
  synchronized boolean isLeaving() {
    return held.isEmpty() && arriving == 0 && failures > 0;
  }

  /** Gives up the cleans: these leases expire. */
  synchronized void forgetCleans() {
    toClean.clear();
    failedCleans = 0;
  }

  /** When the next message is due; far away if there is none. */
  synchronized long nextMessageNanos() {
    long next = System.nanoTime() + LAST_RETRY_NANOS;
    if (!held.isEmpty()) {
      next = renewAtNanos;
    }
    return !toClean.isEmpty() && next - cleanAtNanos > 0 ? cleanAtNanos : next;
  }

  synchronized boolean isSending() {
    return sending;
  }

  /** Gives this owner up if nothing of it is held and no message remains. */
  synchronized boolean retire() {
    retired = held.isEmpty() && toClean.isEmpty() && arriving == 0 && !sending;
    return retired;
  }

  private final class Held extends HeldObject {
    private final Long number;

    private final long key;

    /** Opens when the owner has been told, or could not be reached; null from then on. */
    @Nullable CountDownLatch telling;

    Held(Long number, long key, CountDownLatch telling) {
      super(LeasingOwner.this, dropped);
      this.number = number;
      this.key = key;
      this.telling = telling;
    }

    @Override
    protected void dropped() {
      if (held.get(number) == this) {
        if (met) {
          toClean.put(number, new Dropped(sequence.get(), key));
        }
        held.remove(number);
      }
    }
  }
}

package io.karmi.messaging;

import io.karmi.ring.OutgoingRing;
import io.karmi.ring.RingMemory;
import io.karmi.ring.RingReader;
import io.karmi.technology.RuntimeThreads;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of a link: the outgoing ring, the window, and who hands to the network what has
 * been committed.
 *
 * <p>That is the thread which has something to send, if the link was calm before: then a message is
 * on its way from where it was marshalled, and no thread is woken. Parts of large messages go past
 * an empty ring, too. Under load it is the link's own thread, which takes all that has been
 * committed since it last looked; so messages aggregate while the network is busy, and never wait
 * for others to come. One thread at a time sends: the one that has set {@link #sending}.
 *
 * <p>Thread-safe.
 */
final class LinkOutput {
  /** Sends of one link that follow each other within this time are left to the link's thread. */
  private static final long CALM_NANOS = 15_000;

  /** Bytes under way up to which a sender may send itself: they fit into any socket's memory. */
  private static final int DIRECT_BYTES = 48 * 1024;

  /** How often the link's thread looks for more before it sleeps. */
  private static final int LOOKS = 40;

  private static final int CONTROL_FRAME_BYTES = 16;

  private final Link link;
  private final OutgoingRing ring;
  private final RingReader drain;
  private final long window;
  private final byte[] control = new byte[(2 + MessageFrame.MAXIMUM_LANES) * CONTROL_FRAME_BYTES];

  private final AtomicBoolean sending = new AtomicBoolean();

  /** Bytes that the other end has processed. */
  private final AtomicLong credited = new AtomicLong();

  /** Bytes of the ring that the network has been given, those included that it is being given. */
  private volatile long handedOver;

  /* What is to be said beside the ring. */
  private final AtomicLong creditToSend = new AtomicLong();
  private final AtomicInteger renewalsToSend = new AtomicInteger();
  private volatile boolean goodbyeToSend;

  /** Where the last message before it ends; only answers are behind. */
  private volatile long goodbyeFrom;

  private long creditSent;
  private boolean goodbyeSent;

  /** When this thread or another has last sent, or begun to. */
  private volatile long usedAtNanos = System.nanoTime();

  /** The thread that reads, while it keeps answers back to send them together. */
  private volatile @Nullable Thread holding;

  private @Nullable Thread thread;
  private volatile boolean asleep;

  /** Pieces and control frames that the network has taken; changed while {@link #sending}. */
  private long taken;

  /* What was seen when it was last looked whether the other end goes on. */
  private long seenTaken;
  private long seenCredited;
  private long sendingSinceNanos = System.nanoTime();
  private long waitingSinceNanos = sendingSinceNanos;

  /** Threads that wait for room; changed under the lock of {@link #room}. */
  private volatile int waiting;

  private final Object room = new Object();

  LinkOutput(Link link, MessagingSettings settings) {
    this.link = link;
    RingMemory memory = RingMemory.paged(settings.ringBytes, link.owner().pages());
    ring = new OutgoingRing(memory);
    drain = new RingReader(memory);
    window = settings.windowBytes;
  }

  /** Bytes that the other end has processed, as far as it has said. */
  long credited() {
    return credited.get();
  }

  private long limit() {
    return credited.get() + window;
  }

  /**
   * Reserves room in the ring, within the window.
   *
   * @return the position; -1 if there is none and the caller does not wait
   */
  long reserve(int length, boolean mayWait) throws IOException {
    checkAlive();
    long start = ring.tryReserve(length, limit());
    return start >= 0 || !mayWait ? start : awaitRoom(length);
  }

  private void checkAlive() throws LinkLostException {
    Throwable lost = link.lostBecause();
    if (lost != null) {
      throw new LinkLostException(lost);
    }
  }

  private long awaitRoom(int length) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        wakeThread();
        link.input().recallReader();
        synchronized (room) {
          waiting++;
          try {
            long start = ring.tryReserve(length, limit());
            checkAlive();
            if (start >= 0) {
              return start;
            }
            room.wait();
          } catch (InterruptedException e) {
            interrupted = true;
          } finally {
            waiting--;
          }
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Where the window is full before the ring is, nothing but a credit helps those that wait. */
  private void wakeThoseInNeedOfRing() {
    if (window > ring.capacity() / 2) {
      wakeWaiting();
    }
  }

  private void wakeWaiting() {
    if (waiting > 0) {
      synchronized (room) {
        room.notifyAll();
      }
    }
  }

  /** Whether this many bytes could be reserved now, if no other thread reserves any. */
  boolean hasRoomFor(long bytes) {
    return ring.reserved() + bytes <= limit() && ring.hasRoom(bytes);
  }

  /** Stores bytes in room that was reserved, and commits them. */
  void commit(long start, byte[] from, int offset, int length) {
    ring.put(start, from, offset, length);
    ring.commit(start, length);
  }

  /**
   * Sends bytes from where they are, without the ring, if the link is calm: then a message is on
   * its way without being copied, and no thread is woken.
   *
   * @param waitedFor whether a thread waits for what comes of it, so that it goes at once
   * @return where they would have been in the ring; -1 if they are still to be sent
   */
  long sendCalmly(byte[] from, int offset, int length, boolean waitedFor) throws LinkLostException {
    if (!waitedFor && drain.hasMore() || ring.reserved() - credited.get() > DIRECT_BYTES) {
      return -1;
    }
    long now = System.nanoTime();
    boolean calm = now - usedAtNanos > CALM_NANOS;
    usedAtNanos = now;
    return waitedFor || calm ? sendPastRing(from, offset, length) : -1;
  }

  /**
   * Sends bytes from where they are, without the ring, if nothing else is being sent; waits for the
   * network if need be. What is in the ring goes before.
   *
   * @return where they would have been in the ring; -1 if they are still to be sent
   */
  long sendPastRing(byte[] from, int offset, int length) throws LinkLostException {
    if (!sending.compareAndSet(false, true)) {
      return -1;
    }
    long start = -1;
    try {
      checkAlive();
      start = sendWhileSending(from, offset, length);
    } catch (LinkLostException e) {
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      link.end(e);
    } finally {
      sending.set(false);
    }
    if (hasWork()) {
      wakeThread();
    }
    return start;
  }

  private long sendWhileSending(byte[] from, int offset, int length) throws IOException {
    if (hasWork()) {
      sendSome();
    }
    long start = drain.position();
    if (!ring.tryReserveAt(start, length, limit())) {
      return -1; // others are storing, or the window is full
    }
    handedOver = start + length;
    try {
      link.pipe().send(from, offset, length);
    } catch (IOException | RuntimeException | Error e) {
      link.end(e); // it may have arrived
      return start;
    }
    taken++;
    ring.commitUnstored(start, length);
    drain.release(length);
    link.owner().counts().sentBytes.add(length);
    wakeThoseInNeedOfRing();
    return start;
  }

  /** Has what was committed sent soon, by the link's own thread. */
  void kick() {
    if (drain.hasMore()) {
      wakeThread();
    }
  }

  /** As {@link #kick}, for something that a thread waits for. */
  void kickAtOnce() {
    if (hasWork()) {
      sendSoon();
    }
  }

  /** As {@link #kick}, for an answer. */
  void kickAnswer() {
    if (!isHoldingBack()) {
      kick();
    }
  }

  /** Whether this thread keeps answers back, to send them together, and is the one that reads. */
  boolean isHoldingBack() {
    return holding == Thread.currentThread();
  }

  /** When something was last sent, as {@link System#nanoTime} tells it. */
  long usedAtNanos() {
    return usedAtNanos;
  }

  /** This thread will send answers, which are to leave together. */
  void holdBack() {
    holding = Thread.currentThread();
  }

  /** Sends the answers of this thread. */
  void letGo() {
    if (isHoldingBack()) {
      holding = null;
    }
    if (hasWork()) {
      sendSoon();
    }
  }

  /** Sends what there is, unless another thread does; false if something may be left. */
  private boolean sendNow() {
    if (!sending.compareAndSet(false, true)) {
      return false;
    }
    try {
      sendSome();
    } catch (IOException | RuntimeException | Error e) {
      link.end(e);
    } finally {
      sending.set(false);
    }
    return !hasWork();
  }

  private boolean hasWork() {
    return drain.hasMore() || hasControl();
  }

  private boolean hasControl() {
    return creditToSend.get() > creditSent || renewalsToSend.get() != 0 || goodbyeIsDue();
  }

  /** A goodbye goes behind all messages, but does not wait for answers to cease. */
  private boolean goodbyeIsDue() {
    return goodbyeToSend && !goodbyeSent && drain.position() >= goodbyeFrom;
  }

  /**
   * Sends control frames, and what is committed: all of it, as a piece may end within a frame,
   * where no other frame can begin.
   *
   * @return whether there was anything
   */
  private boolean sendSome() throws IOException {
    boolean any = sendControl();
    int committed = drain.available();
    for (int left = committed; left > 0; ) {
      int count = drain.peek(left);
      handedOver = drain.position() + count;
      link.pipe().send(drain.bytes(), drain.offset(), count);
      taken++;
      drain.release(count);
      link.owner().counts().sentBytes.add(count);
      wakeThoseInNeedOfRing();
      left -= count;
    }
    if (committed > 0) {
      usedAtNanos = System.nanoTime();
    }
    return any || committed > 0;
  }

  private boolean sendControl() throws IOException {
    int length = 0;
    long credit = creditToSend.get();
    if (credit > creditSent) {
      creditSent = credit;
      MessageFrame.putHeader(control, length, Long.BYTES, 0, MessageFrame.CREDIT);
      MessageFrame.putLong(control, length + MessageFrame.HEADER_BYTES, credit);
      length += CONTROL_FRAME_BYTES;
    }
    int renewals = renewalsToSend.getAndSet(0);
    for (int lane = 0; renewals != 0; lane++, renewals >>>= 1) {
      if ((renewals & 1) != 0) {
        MessageFrame.putHeader(control, length, 0, lane, MessageFrame.RENEW);
        length += MessageFrame.HEADER_BYTES;
      }
    }
    if (goodbyeIsDue()) {
      goodbyeSent = true;
      MessageFrame.putHeader(control, length, 0, 0, MessageFrame.GOODBYE);
      length += MessageFrame.HEADER_BYTES;
    }
    if (length > 0) {
      link.pipe().send(control, 0, length);
      taken++;
    }
    return length > 0;
  }

  /**
   * Whether the network has not taken what it was given for so long, or the other end has processed
   * nothing while senders wait for that. To be asked now and then, by one thread.
   *
   * @param alsoWindow whether the latter counts
   */
  boolean isStuckFor(long now, long nanos, boolean alsoWindow) {
    boolean busy = sending.get(); // before what the busy thread writes
    if (!busy || taken + drain.position() != seenTaken) {
      seenTaken = taken + drain.position();
      sendingSinceNanos = now;
    }
    long processed = credited.get();
    if (waiting == 0 || processed != seenCredited) {
      seenCredited = processed;
      waitingSinceNanos = now;
    }
    return now - sendingSinceNanos > nanos || alsoWindow && now - waitingSinceNanos > nanos;
  }

  private void wakeThread() {
    if (thread == null) {
      startThread();
    } else if (asleep) {
      asleep = false;
      LockSupport.unpark(thread);
    }
  }

  private synchronized void startThread() {
    if (thread == null && !link.isLost()) {
      thread = RuntimeThreads.start("KaRMI Messages to " + link.pipe().peerName(), this::run, true);
    }
  }

  private void run() {
    int looks = 0;
    while (!link.isLost()) {
      if (hasWork() && sendNowOrLater()) {
        looks = 0;
      } else if (looks < LOOKS) {
        looks++;
        Thread.yield();
      } else {
        sleep();
        looks = 0;
      }
    }
  }

  /** True if this thread has sent something. */
  private boolean sendNowOrLater() {
    if (!sending.compareAndSet(false, true)) {
      return false;
    }
    try {
      return sendSome();
    } catch (IOException | RuntimeException | Error e) {
      link.end(e);
      return false;
    } finally {
      sending.set(false);
    }
  }

  private void sleep() {
    asleep = true;
    if (!sending.get() && hasWork() || link.isLost()) {
      asleep = false;
      return;
    }
    while (asleep) { // a sender that leaves work behind wakes this thread
      LockSupport.park(this);
      Thread.interrupted();
    }
  }

  /** Tells how many bytes the other end has processed since the link was opened. */
  void credit(long processed) throws StreamCorruptedException {
    long before = credited.get();
    if (processed < before || processed > handedOver) {
      throw new StreamCorruptedException(
          "a credit for "
              + processed
              + " bytes, where "
              + before
              + " were credited and "
              + handedOver
              + " sent");
    }
    credited.set(processed);
    wakeWaiting();
    link.unpinIdleLanes(processed);
  }

  /** Tells the other end how many bytes have been processed here, soon. */
  void sendCredit(long processed) {
    creditToSend.accumulateAndGet(processed, Math::max);
    sendSoon();
  }

  void sendRenewal(int lane) {
    renewalsToSend.accumulateAndGet(1 << lane, (a, b) -> a | b);
    sendSoon();
  }

  void sendGoodbye() {
    if (goodbyeToSend) {
      return;
    }
    goodbyeFrom = ring.reserved();
    goodbyeToSend = true;
    sendSoon();
  }

  /** By this thread if the network takes it at once, as far as is known. */
  private void sendSoon() {
    if (ring.reserved() - credited.get() > DIRECT_BYTES || !sendNow()) {
      wakeThread();
    }
  }

  /** Whether all that was to be sent has been handed to the network. */
  boolean isDrained() {
    return ring.reserved() == drain.position() && !sending.get();
  }

  /** Gives the memory of the ring back. No thread may send meanwhile. */
  void rest() {
    if (sending.compareAndSet(false, true)) {
      try {
        ring.rest();
      } finally {
        sending.set(false);
      }
      if (hasWork()) {
        wakeThread();
      }
    }
  }

  /** Bytes of the ring for which there is memory. */
  int heldBytes() {
    return ring.heldBytes();
  }

  /** The link has ended: no thread waits for it any more. */
  void end() {
    synchronized (room) {
      room.notifyAll();
    }
    synchronized (this) {
      if (thread != null) {
        asleep = false;
        LockSupport.unpark(thread);
      }
    }
  }
}

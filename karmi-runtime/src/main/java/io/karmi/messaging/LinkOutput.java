package io.karmi.messaging;

import io.karmi.messaging.frame.MessageFrame;
import io.karmi.ring.OutgoingRing;
import io.karmi.ring.RingMemory;
import io.karmi.ring.RingReader;
import io.karmi.technology.RuntimeThreads;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of a link: the outgoing ring, the window, and who hands to the network what has
 * been committed.
 *
 * <p>That is the thread which has something to send, if the link was calm before: then a message is
 * on its way from where it was marshalled, and no thread is woken. Parts of large messages go past
 * an empty ring, too. Else it is the link's own thread, which takes all that has been committed
 * since it last looked; so messages aggregate while the network is busy.
 *
 * <p>If the other end has not processed what it was sent, messages would only wait there. Then they
 * leave a page of the ring at a time, handed over by the thread that fills the page; what is less
 * waits until there is a page, a credit comes, or {@link #LONGEST_WAIT_NANOS} have passed. Requests
 * and answers do not wait. One thread at a time sends: the one that has set {@link #sending}.
 *
 * <p>Thread-safe.
 */
final class LinkOutput {
  /** Time since the last send within which the next one is left to the link's thread. */
  private static final long CALM_NANOS = 15_000;

  /** Most bytes under way for a sender to send itself; any socket's memory holds them. */
  private static final int DIRECT_BYTES = 48 * 1024;

  /** Number of times that the link's thread looks for more before it sleeps. */
  private static final int LOOKS = 40;

  /** Longest time that committed bytes wait for more. */
  private static final long LONGEST_WAIT_NANOS = 1_000_000;

  private static final int CONTROL_FRAME_BYTES = 16;

  /* What the link's thread does: it sends or looks, waits with something left to send, or sleeps. */
  private static final int AWAKE = 0;
  private static final int DOZING = 1;
  private static final int ASLEEP = 2;

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

  private volatile boolean signToSend;

  /** Where the last message before it ends; only answers are behind. */
  private volatile long goodbyeFrom;

  /** Whether the last piece has ended within a frame; changed while {@link #sending}. */
  private boolean withinFrame;

  /** What lies before this position in the ring does not wait for more. */
  private volatile long urgentUntil;

  /** A control frame to be sent as it is, or null. */
  private final AtomicReference<byte @Nullable []> notice = new AtomicReference<>();

  private long creditSent;
  private boolean goodbyeSent;

  /** When this thread or another has last sent, or begun to. */
  private volatile long usedAtNanos = System.nanoTime();

  /** The thread that reads, while it keeps answers back to send them together. */
  private volatile @Nullable Thread holding;

  private @Nullable Thread thread;

  /** State of that thread: one of the constants above. */
  private volatile int state;

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

  /**
   * Reserves room for a message in parts, in one piece. Where nothing else is under way the message
   * may be as long as the window: its frames and types go beyond that.
   *
   * @return the position; -1 if there is none
   */
  long tryReserveWhole(long length) throws IOException {
    checkAlive();
    return length > Math.min(ring.capacity(), window + LinkInput.FRAMING_BYTES)
        ? -1
        : ring.tryReserve((int) length, limit() + LinkInput.FRAMING_BYTES);
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
        kick();
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

  /**
   * Stores bytes in room that was reserved, and commits them. The thread that completes a page of
   * the ring hands it to the network.
   *
   * @param mayBlock whether this thread may wait for the network
   */
  void commit(long start, byte[] from, int offset, int length, boolean mayBlock) {
    ring.put(start, from, offset, length);
    ring.commit(start, length);
    if (mayBlock && drain.endsPage(start, length)) {
      sendPages();
    }
  }

  /** Sends what lies in full pages, unless another thread sends. */
  private void sendPages() {
    if (!sending.compareAndSet(false, true)) {
      return;
    }
    try {
      sendSome(false);
    } catch (IOException | RuntimeException | Error e) {
      link.end(e);
    } finally {
      sending.set(false);
    }
    if (isDue()) {
      wakeThread();
    }
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
      sendSome(true);
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

  /**
   * Has what was committed sent by the link's own thread: soon, or with what comes behind it if the
   * other end has enough to process.
   */
  void kick() {
    if (drain.hasMore() && (state != DOZING || isDue())) {
      wakeThread();
    }
  }

  /** Has what was committed sent soon, by the link's own thread: others wait for it. */
  void kickUrgent() {
    if (drain.hasMore()) {
      urgentUntil = ring.reserved();
      wakeThread();
    }
  }

  /** As {@link #kickUrgent}, for something that a thread waits for: by this thread if it can. */
  void kickAtOnce() {
    if (hasWork()) {
      urgentUntil = ring.reserved();
      sendSoon();
    }
  }

  /** As {@link #kickUrgent}, for an answer. */
  void kickAnswer() {
    if (!isHoldingBack()) {
      kickUrgent();
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
    kickAtOnce();
  }

  /** Sends what there is, unless another thread does; false if something may be left. */
  private boolean sendNow() {
    if (!sending.compareAndSet(false, true)) {
      return false;
    }
    try {
      sendSome(true);
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

  /** Whether there is something to be sent that does not wait for more. */
  private boolean isDue() {
    return hasControl() || drain.hasMore() && (!mayWait() || drain.hasFullPage());
  }

  /**
   * Whether the other end has so much to process that a credit will come when it has: then what is
   * less than a page may wait for more until that time, if it is not urgent.
   */
  private boolean mayWait() {
    return handedOver - credited.get() >= LinkInput.leastCredit(window)
        && drain.position() >= urgentUntil;
  }

  private boolean hasControl() {
    return creditToSend.get() > creditSent
        || signToSend
        || renewalsToSend.get() != 0
        || notice.get() != null
        || goodbyeIsDue();
  }

  /** A goodbye goes behind all messages, but does not wait for answers to cease. */
  private boolean goodbyeIsDue() {
    return goodbyeToSend && !goodbyeSent && drain.position() >= goodbyeFrom;
  }

  /**
   * Sends control frames, and what is committed. Of that only whole pages, if the rest may wait for
   * more: then a frame may be sent in part, and nothing but its rest can follow.
   *
   * @param all whether the last page leaves as well, which is not full
   * @return whether there was anything
   */
  private boolean sendSome(boolean all) throws IOException {
    boolean any = !withinFrame && sendControl();
    int committed = drain.available();
    int left = committed;
    while (left > 0 && (all || left >= drain.untilPageEnd())) {
      int count = drain.peek(left);
      handedOver = drain.position() + count;
      withinFrame = count < left;
      link.pipe().send(drain.bytes(), drain.offset(), count);
      taken++;
      drain.release(count);
      link.owner().counts().sentBytes.add(count);
      wakeThoseInNeedOfRing();
      left -= count;
    }
    if (left < committed) {
      usedAtNanos = System.nanoTime();
    }
    return any || left < committed;
  }

  private boolean sendControl() throws IOException {
    int length = 0;
    long credit = creditToSend.get();
    if (credit > creditSent || signToSend) {
      signToSend = false;
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
    byte[] frame = notice.getAndSet(null);
    if (frame != null) {
      link.pipe().send(frame, 0, frame.length);
      taken++;
    }
    return length > 0 || frame != null;
  }

  /**
   * Whether the network has not taken what it was given for so long, or the other end has processed
   * less than the least credit while senders wait for that: a byte now and then is not enough. To
   * be asked now and then, by one thread.
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
    if (waiting == 0 || processed - seenCredited >= LinkInput.leastCredit(window)) {
      seenCredited = processed;
      waitingSinceNanos = now;
    }
    return now - sendingSinceNanos > nanos || alsoWindow && now - waitingSinceNanos > nanos;
  }

  private void wakeThread() {
    if (thread == null) {
      startThread();
    } else if (state != AWAKE) {
      state = AWAKE;
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
      if (isDue() && sendNowOrLater()) {
        looks = 0;
      } else if (drain.hasMore() && !isDue()) {
        doze();
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
      return sendSome(true);
    } catch (IOException | RuntimeException | Error e) {
      link.end(e);
      return false;
    } finally {
      sending.set(false);
    }
  }

  private void sleep() {
    state = ASLEEP;
    if (!sending.get() && hasWork() || link.isLost()) {
      state = AWAKE;
      return;
    }
    while (state == ASLEEP) { // a sender that leaves work behind wakes this thread
      LockSupport.park(this);
      Thread.interrupted();
    }
  }

  /** Leaves what may wait to those that send more, and sends it if none has for a while. */
  private void doze() {
    long position = drain.position();
    state = DOZING;
    if (!isDue() && !link.isLost()) {
      LockSupport.parkNanos(this, LONGEST_WAIT_NANOS);
      Thread.interrupted();
    }
    boolean woken = state == AWAKE;
    state = AWAKE;
    if (!woken && drain.position() == position) {
      sendNowOrLater();
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
    if (drain.hasMore() && !mayWait()) {
      sendSoon();
    }
    link.unpinIdleLanes(processed);
  }

  /** Tells the other end how many bytes have been processed here, soon. */
  void sendCredit(long processed) {
    creditToSend.accumulateAndGet(processed, Math::max);
    sendSoon();
  }

  /** Whether threads wait for room. */
  boolean hasWaiting() {
    return waiting > 0;
  }

  /** Has the last credit sent once more, by the link's own thread: a sign of life. */
  void sign() {
    signToSend = true;
    wakeThread();
  }

  /** Sends a frame with a number and a text of the link itself; the last one is sent only. */
  void sendNotice(int kind, long number, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int body = Long.BYTES + bytes.length;
    if (body > MessageFrame.MOST_JOINED_BYTES) {
      return; // the link goes on by itself
    }
    byte[] frame = new byte[Link.frameBytes(body)];
    MessageFrame.putHeader(frame, 0, body, 0, kind);
    MessageFrame.putLong(frame, MessageFrame.HEADER_BYTES, number);
    System.arraycopy(bytes, 0, frame, MessageFrame.HEADER_BYTES + Long.BYTES, bytes.length);
    notice.set(frame);
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

  /** Whether the other end has processed all that was to be sent. */
  boolean isProcessed() {
    return ring.reserved() == credited.get();
  }

  /** Waits until the other end has processed all that was to be sent, or the link has ended. */
  void awaitProcessed() {
    boolean interrupted = false;
    synchronized (room) {
      waiting++;
      while (!isProcessed() && !link.isLost()) {
        try {
          room.wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      waiting--;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
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
        state = AWAKE;
        LockSupport.unpark(thread);
      }
    }
  }
}

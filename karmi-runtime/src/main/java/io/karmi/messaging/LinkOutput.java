package io.karmi.messaging;

import io.karmi.messaging.frame.ControlFrames;
import io.karmi.messaging.frame.SendWindow;
import io.karmi.messaging.link.Counts;
import io.karmi.ring.OutgoingRing;
import io.karmi.ring.RingMemory;
import io.karmi.ring.RingPagePool;
import io.karmi.ring.RingReader;
import io.karmi.technology.Pipe;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of a link: the outgoing ring, and who hands to the network what is to be sent.
 *
 * <p>One thread at a time does, the one that has set {@link #sending}:
 *
 * <table>
 * <caption>Who hands over what</caption>
 * <tr><th>thread</th><th>what</th><th>when</th></tr>
 * <tr><td>one that sends ({@link #trySendingPastRing})</td>
 *     <td>what is in the ring, then its own message</td>
 *     <td>the link is calm, or it alone waits for the answer: no copy, and no thread is woken</td></tr>
 * <tr><td>one that sends ({@link #sendPastRing})</td>
 *     <td>the same</td>
 *     <td>parts of large messages; longer messages where the network is memory</td></tr>
 * <tr><td>one that sends ({@link #commit})</td>
 *     <td>full pages</td>
 *     <td>its message ends a page</td></tr>
 * <tr><td>one that sends, or reads ({@link #sendHereIfItCan})</td>
 *     <td>all</td>
 *     <td>it has a control frame, or answers that it has kept back, or a credit has come, and little
 *         is under way</td></tr>
 * <tr><td>the link's own ({@link LinkThread})</td>
 *     <td>all; messages aggregate while the network is busy</td>
 *     <td>no other thread does. While the other end has not processed what it was sent, messages
 *         would only wait there: it sleeps until a page is full, a credit comes, or {@link
 *         LinkThread#LONGEST_WAIT_NANOS} have passed; requests and answers do not wait</td></tr>
 * </table>
 *
 * <p>Thread-safe.
 */
final class LinkOutput {
  /** Time since the last send within which the next one is left to the link's thread. */
  private static final long CALM_NANOS = 15_000;

  /** Shortest frame that goes past the ring where the network is memory, too, in bytes. */
  private static final int COPIED_BYTES = 512;

  /** Most bytes under way for a sender to send itself; any socket's memory holds them. */
  private static final int DIRECT_BYTES = 48 * 1024;

  /** The link, as its sending half sees it. */
  interface Side {
    /** Why nothing can be sent any more; null while the link lives. */
    @Nullable Throwable lostBecause();

    /** Ends the link. */
    void end(Throwable because);

    /** A thread waits for room, and so for what the other end says. */
    void roomIsAwaited();

    /** How many bytes the other end has processed since the link was opened. */
    void credited(long processed);
  }

  /** How soon something is to leave that was committed. */
  enum Haste {
    /** With what comes behind it, if the other end has enough to process. */
    BY_PAGE,
    /** By the link's own thread, as others wait for it. */
    BY_LINK_THREAD,
    /** By this thread if it can, as one waits for it. */
    BY_THIS_THREAD
  }

  /**
   * What there is to do, as tests and docs/how-messages-travel.md see it. Nothing is decided by it:
   * it is read from the ring, the window and the control frames.
   */
  enum State {
    /** Nothing. The next message goes from where it is marshalled. */
    IDLE,

    /** A thread hands its message to the network from where it was marshalled. */
    DIRECT,

    /** What lies in the ring leaves as soon as its writer gets to it. */
    RING,

    /**
     * The receiver is busy: what lies in the ring leaves a page at a time, or with a credit or
     * another control frame of either end.
     */
    PAGED,

    /** Threads wait for room in the window or the ring, or until all is processed. */
    STUCK,

    /** This end says goodbye: no message follows, but answers. */
    DRAINING
  }

  private final Side link;
  private final Pipe pipe;
  private final Counts counts;
  private final OutgoingRing ring;
  private final RingReader reader;
  private final SendWindow window;
  private final ControlFrames control = new ControlFrames();
  private final AtomicBoolean sending = new AtomicBoolean();
  private final Sending all = () -> sendSome(true);
  private final Sending fullPages = () -> sendSome(false);

  /** Whether the last piece has ended within a frame; changed while {@link #sending}. */
  private boolean withinFrame;

  /** What lies before this position in the ring does not wait for more. */
  private volatile long urgentUntil;

  /** When this thread or another has last sent, or begun to. */
  private volatile long usedAtNanos = System.nanoTime();

  /** The thread that reads, while it keeps answers back to send them together. */
  private volatile @Nullable Thread holding;

  private final LinkThread thread;
  private final boolean networkIsMemory;

  /** Pieces and control frames that the network has taken; changed while {@link #sending}. */
  private long taken;

  /* What was seen when it was last looked whether the network goes on. */
  private long seenTaken;
  private long sendingSinceNanos = System.nanoTime();

  LinkOutput(Side link, Pipe pipe, RingPagePool pages, Counts counts, MessagingSettings settings) {
    this.link = link;
    this.pipe = pipe;
    this.counts = counts;
    networkIsMemory = pipe.isMemory();
    thread = new LinkThread(this, "KaRMI Messages to " + pipe.peerName());
    RingMemory memory = RingMemory.paged(settings.ringBytes, pages);
    ring = new OutgoingRing(memory);
    reader = new RingReader(memory);
    window = new SendWindow(settings.windowBytes);
  }

  /** What there is to do; it may be another thing a moment later. */
  State state() {
    if (control.saysGoodbye()) {
      return State.DRAINING;
    } else if (window.hasWaiting()) {
      return State.STUCK;
    } else if (reader.hasMore()) {
      return mayLieInRing() ? State.PAGED : State.RING;
    }
    return sending.get() && hasUnsent() ? State.DIRECT : State.IDLE;
  }

  /** Bytes that the other end has processed, as far as it has said. */
  long credited() {
    return window.credited();
  }

  /**
   * Reserves room in the ring, within the window.
   *
   * @return the position; -1 if there is none and the caller does not wait
   */
  long reserve(int length, boolean mayWait) throws IOException {
    checkAlive();
    long start = ring.tryReserve(length, window.limit());
    return start >= 0 || !mayWait
        ? start
        : window.await(() -> tryAgain(() -> ring.tryReserve(length, window.limit())));
  }

  /** Waits until this many bytes could be reserved, if no other thread reserves any. */
  void awaitRoomFor(int length) throws IOException {
    if (!hasRoomFor(length)) {
      window.await(() -> tryAgain(() -> hasRoomFor(length) ? 0 : -1));
    }
  }

  private long tryAgain(SendWindow.Attempt attempt) throws IOException {
    kick(Haste.BY_PAGE);
    link.roomIsAwaited();
    checkAlive();
    return attempt.get();
  }

  /**
   * Reserves room for a message in parts, in one piece. Where nothing else is under way the message
   * may be as long as the window: its frames and types go beyond that.
   *
   * @return the position; -1 if there is none
   */
  long tryReserveWhole(long length) throws IOException {
    checkAlive();
    return length > Math.min(ring.capacity(), window.bytes() + SendWindow.FRAMING_BYTES)
        ? -1
        : ring.tryReserve((int) length, window.limit() + SendWindow.FRAMING_BYTES);
  }

  private void checkAlive() throws LinkLostException {
    Throwable lost = link.lostBecause();
    if (lost != null) {
      throw new LinkLostException(lost);
    }
  }

  /** Whether this many bytes could be reserved now, if no other thread reserves any. */
  boolean hasRoomFor(long bytes) {
    return ring.reserved() + bytes <= window.limit() && ring.hasRoom(bytes);
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
    if (mayBlock && reader.endsPage(start, length) && trySending(fullPages) && isDue()) {
      thread.wake();
    }
  }

  /** What the thread that sends does. */
  private interface Sending {
    void run() throws IOException;
  }

  /**
   * Sends, unless another thread does; a failure ends the link.
   *
   * @return false if another thread does, which sees what was to be sent
   */
  private boolean trySending(Sending action) {
    if (!sending.compareAndSet(false, true)) {
      return false;
    }
    try {
      action.run();
    } catch (IOException | RuntimeException | Error e) {
      link.end(e);
    } finally {
      sending.set(false);
    }
    return true;
  }

  /**
   * Sends bytes from where they are, without the ring, if the link is calm: then a message is on
   * its way without being copied, and no thread is woken.
   *
   * @param waitedFor whether a thread waits for what comes of it, so that it goes at once
   * @return where they would have been in the ring; -1 if they are still to be sent
   */
  long trySendingPastRing(byte[] from, int offset, int length, boolean waitedFor)
      throws LinkLostException {
    if (!waitedFor && reader.hasMore() || isMuchUnderWay()) {
      return -1;
    }
    long now = System.nanoTime();
    boolean calm = now - usedAtNanos > CALM_NANOS;
    usedAtNanos = now;
    return waitedFor || calm ? sendPastRing(from, offset, length) : -1;
  }

  /**
   * Whether a frame goes past the ring, which would be one more copy: the network is memory, too.
   * What is shorter is copied faster than it is handed over by itself.
   */
  boolean goesPastRing(int length) {
    return networkIsMemory && length >= COPIED_BYTES;
  }

  /** Whether the network may not take more at once, as far as is known. */
  private boolean isMuchUnderWay() {
    return ring.reserved() - window.credited() > DIRECT_BYTES;
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
      start = sendDirectly(from, offset, length);
    } catch (LinkLostException e) {
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      link.end(e);
    } finally {
      sending.set(false);
    }
    if (hasWork()) {
      thread.wake();
    }
    return start;
  }

  private long sendDirectly(byte[] from, int offset, int length) throws IOException {
    if (hasWork()) {
      sendSome(true);
    }
    long start = reader.position();
    if (!ring.tryReserveAt(start, length, window.limit())) {
      return -1; // others are storing, or the window is full
    }
    window.handOver(start + length);
    try {
      pipe.send(from, offset, length);
    } catch (IOException | RuntimeException | Error e) {
      link.end(e); // it may have arrived
      return start;
    }
    taken++;
    ring.commitUnstored(start, length);
    reader.release(length);
    counts.sentBytes.add(length);
    usedAtNanos = System.nanoTime();
    wakeThoseInNeedOfRing();
    return start;
  }

  /** Where the window is full before the ring is, nothing but a credit helps those that wait. */
  private void wakeThoseInNeedOfRing() {
    if (window.bytes() > ring.capacity() / 2) {
      window.wakeWaiting();
    }
  }

  /** Has what was committed sent. */
  void kick(Haste haste) {
    if (haste == Haste.BY_PAGE) {
      if (reader.hasMore() && (!thread.isDozing() || isDue())) {
        thread.wake();
      }
    } else if (hasWork()) {
      urgentUntil = ring.reserved();
      if (haste == Haste.BY_THIS_THREAD) {
        sendHereIfItCan();
      } else {
        thread.wake();
      }
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
  void sendHeldBack() {
    if (isHoldingBack()) {
      holding = null;
    }
    kick(Haste.BY_THIS_THREAD);
  }

  private boolean hasWork() {
    return reader.hasMore() || control.areDue(reader.position());
  }

  /** Whether there is something to be sent that does not wait for more. */
  boolean isDue() {
    return control.areDue(reader.position())
        || reader.hasMore() && (!mayLieInRing() || reader.hasFullPage());
  }

  /**
   * Whether what is less than a page may wait for more, as the other end has enough to process, and
   * it is not urgent.
   */
  private boolean mayLieInRing() {
    return window.isReceiverBusy() && reader.position() >= urgentUntil;
  }

  /**
   * Sends control frames, and what is committed. Of that only whole pages, if the rest may wait for
   * more: then a frame may be sent in part, and nothing but its rest can follow.
   *
   * @param all whether the last page leaves as well, which is not full
   */
  private void sendSome(boolean all) throws IOException {
    int said = withinFrame ? 0 : control.take(reader.position());
    if (said > 0) {
      pipe.send(control.bytes(), 0, said);
      taken++;
    }
    int committed = reader.available();
    int left = committed;
    while (left > 0 && (all || left >= reader.untilPageEnd())) {
      int count = reader.peek(left);
      window.handOver(reader.position() + count);
      withinFrame = count < left;
      pipe.send(reader.bytes(), reader.offset(), count);
      taken++;
      reader.release(count);
      counts.sentBytes.add(count);
      wakeThoseInNeedOfRing();
      left -= count;
    }
    if (left < committed) {
      usedAtNanos = System.nanoTime();
    }
  }

  /**
   * Whether the network has not taken what it was given for so long, or the other end has processed
   * too little while senders wait for that. To be asked now and then, by one thread.
   *
   * @param alsoWindow whether the latter counts
   */
  boolean isStuckFor(long now, long nanos, boolean alsoWindow) {
    boolean busy = sending.get(); // before what the busy thread writes
    if (!busy || taken + reader.position() != seenTaken) {
      seenTaken = taken + reader.position();
      sendingSinceNanos = now;
    }
    boolean windowStuck = window.isStuckFor(now, nanos);
    return now - sendingSinceNanos > nanos || alsoWindow && windowStuck;
  }

  /** Whether the link has ended, and nothing is sent any more. */
  boolean isOver() {
    return link.lostBecause() != null;
  }

  /** Whether there is something to be sent, and no thread that sends it. */
  boolean hasWorkLeft() {
    return !sending.get() && hasWork();
  }

  /** Whether messages are committed that were not handed to the network. */
  boolean hasCommitted() {
    return reader.hasMore();
  }

  /** Up to where messages have been handed to the network. */
  long position() {
    return reader.position();
  }

  /** Sends all that there is; false if another thread sends. */
  boolean trySendingAll() {
    return trySending(all);
  }

  /** Tells how many bytes the other end has processed since the link was opened. */
  void credit(long processed) throws StreamCorruptedException {
    window.credit(processed);
    if (reader.hasMore() && !mayLieInRing()) {
      sendHereIfItCan();
    }
    link.credited(processed);
  }

  /** The other end takes more bytes that it has not processed. */
  void grant(long more) throws StreamCorruptedException {
    window.grant(more);
  }

  /** Tells the other end soon that this one takes more bytes. */
  void sendGrant(long more) {
    control.grant(more);
    sendHereIfItCan();
  }

  /** Whether the window is longer than the shortest one. */
  boolean hasLongWindow() {
    return window.isLong();
  }

  /** Makes the window the shortest one again. No thread may send meanwhile. */
  void giveBackWindow() {
    long less = window.giveBack(ring.reserved());
    if (less > 0) {
      control.giveBack(less);
      sendHereIfItCan();
    }
  }

  /** Tells the other end how many bytes have been processed here, soon. */
  void sendCredit(long processed) {
    control.credit(processed);
    sendHereIfItCan();
  }

  /** Whether threads wait for room. */
  boolean hasWaiting() {
    return window.hasWaiting();
  }

  /** Has the last credit sent once more, by the link's own thread: a sign of life. */
  void sign() {
    control.sign();
    thread.wake();
  }

  /** Sends a frame with a number and a text of the link itself; the last one is sent only. */
  void sendNotice(int kind, long number, String text) {
    control.notice(kind, number, text);
    sendHereIfItCan();
  }

  void sendRenewal(int lane) {
    control.renewal(lane);
    sendHereIfItCan();
  }

  void sendGoodbye() {
    if (control.goodbye(ring.reserved())) {
      sendHereIfItCan();
    }
  }

  /** Sends all, by this thread if the network takes it at once, as far as is known. */
  private void sendHereIfItCan() {
    if (isMuchUnderWay() || !trySending(all) || hasWork()) {
      thread.wake();
    }
  }

  /** Whether all that was to be sent has been handed to the network. */
  boolean isDrained() {
    return !hasUnsent() && !sending.get();
  }

  /** Whether all that was to be sent or said has been handed to the network. */
  boolean hasSaidAll() {
    return !hasWork() && !sending.get();
  }

  /** Whether something was to be sent that the network has not taken. */
  boolean hasUnsent() {
    return ring.reserved() != reader.position();
  }

  /** Whether the other end has processed all that was to be sent. */
  boolean isProcessed() {
    return ring.reserved() == window.credited();
  }

  /** Waits until the other end has processed all that was to be sent, or the link has ended. */
  void awaitProcessed() {
    try {
      window.await(
          () -> {
            if (isProcessed() || isOver()) {
              return 0;
            }
            link.roomIsAwaited();
            return -1;
          });
    } catch (IOException e) {
      throw new AssertionError(e); // not of this attempt
    }
  }

  /** Gives the memory of the ring back. No thread may send meanwhile. */
  void rest() {
    if (trySending(ring::rest) && hasWork()) {
      thread.wake();
    }
  }

  /** Bytes of the ring for which there is memory. */
  int heldBytes() {
    return ring.heldBytes();
  }

  /** The link has ended: no thread waits for it any more. */
  void end() {
    window.wakeWaiting();
    thread.end();
  }
}

package io.karmi.connection.call;

import io.karmi.connection.channel.NothingSentException;
import io.karmi.connection.channel.OrderedByteChannel;
import io.karmi.connection.guard.Writing;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.locks.LockSupport;

/**
 * Buffer into which a message is marshalled. The header is filled in afterwards, and one write
 * sends both.
 *
 * <p>A long message leaves in parts while it is being marshalled, so that it never lies in memory
 * as a whole.
 */
public final class CallFrameOutput extends OutputBuffer implements Writing {
  private static final int INITIAL_BYTES = 4096;

  /**
   * Upper bound of the bytes that are handed over at once, so that the watchdog sees a long message
   * advance.
   */
  private static final int SLICE_BYTES = 128 * 1024;

  private static final AtomicIntegerFieldUpdater<CallFrameOutput> PROGRESS =
      AtomicIntegerFieldUpdater.newUpdater(CallFrameOutput.class, "progress");

  private static final AtomicIntegerFieldUpdater<CallFrameOutput> TURN =
      AtomicIntegerFieldUpdater.newUpdater(CallFrameOutput.class, "turn");

  /**
   * Values of {@link #turn}: only messages may be sent; signs of life may be, too; a frame is being
   * sent.
   */
  private static final int MESSAGES_ONLY = 0;

  private static final int EXECUTING = 1;
  private static final int SENDING = 2;

  /** Value of {@link #turn}: another thread tells that the node ends, while no call is executed. */
  private static final int SAYING = 3;

  /** Value of {@link #turn}: no further reply is begun. */
  private static final int GIVEN_WAY = 4;

  /**
   * Pause between two checks whether a sign of life has been sent, in nanoseconds; sending takes
   * microseconds.
   */
  private static final long SIGN_NANOS = 20_000;

  private static final byte[] SIGN = {FrameHeader.ALIVE, 0, 0, 0};
  private static final byte[] FAREWELL = {FrameHeader.GO_AWAY, 0, 0, 0};

  private final FrameOwner owner;
  private final OrderedByteChannel channel;

  /** Whether other threads may send short frames: signs of life, or that the node ends. */
  private boolean shared;

  /**
   * Which thread may send. While the thread that has the connection executes a call, another one
   * may send a sign of life, and both claim the channel.
   */
  private volatile int turn;

  /**
   * Counter that is odd while bytes are handed over; each slice adds two. For the watchdog, which
   * only reads it.
   */
  private volatile int progress;

  /** Written by the thread that has the connection, and read by others now and then. */
  private long sentBytes;

  /**
   * Bytes of a reply that leaves in parts: those that have left, and that are known to follow; 0
   * for a short one. Written and read like {@link #sentBytes}.
   */
  private long longReplyBytes;

  /** Those of it that have left. */
  private long longBytesBefore;

  private boolean maybeSent;
  private int kind;
  private boolean partSent;
  private boolean careful;

  CallFrameOutput(FrameOwner owner) {
    super(INITIAL_BYTES);
    this.owner = owner;
    this.channel = owner.channel();
  }

  /** Allows other threads to send frames between those of this end's messages. */
  void share() {
    shared = true;
  }

  /** Called when a call is executed, until its reply or a call back has been sent. */
  void execute() {
    if (shared && turn != EXECUTING) {
      while (!TURN.compareAndSet(this, MESSAGES_ONLY, EXECUTING) && turn == SAYING) {
        LockSupport.parkNanos(SIGN_NANOS);
      }
    }
  }

  @Override
  public boolean isExecuting() {
    return turn == EXECUTING;
  }

  /**
   * Sends a sign of life, if this end executes a call and sends nothing else. Called by any thread.
   */
  void giveSign() throws IOException {
    if (TURN.compareAndSet(this, EXECUTING, SENDING)) {
      try {
        PROGRESS.lazySet(this, progress + 1);
        channel.offer(SIGN, 0, SIGN.length);
        PROGRESS.lazySet(this, progress + 1);
      } finally {
        TURN.set(this, EXECUTING);
      }
    }
  }

  /**
   * Tells the other end that this node ends. Called by any thread, at an end where other threads
   * may send.
   *
   * @return false if the thread that has the connection is sending, or there is no room: nothing
   *     was sent then
   */
  boolean sayFarewell() throws IOException {
    int before = TURN.compareAndSet(this, EXECUTING, SENDING) ? EXECUTING : MESSAGES_ONLY;
    if (before == MESSAGES_ONLY && !TURN.compareAndSet(this, MESSAGES_ONLY, SAYING)) {
      return false;
    }
    try {
      PROGRESS.lazySet(this, progress + 1);
      boolean said = channel.offer(FAREWELL, 0, FAREWELL.length);
      PROGRESS.lazySet(this, progress + 1);
      return said;
    } finally {
      TURN.set(this, before);
    }
  }

  /**
   * Has this end begin no further reply, as others need the place of the connection. Called by any
   * thread, at an end where other threads may send.
   *
   * @return false if a call is executed or called back, or its reply is being sent
   */
  boolean giveWay() {
    return TURN.compareAndSet(this, MESSAGES_ONLY, GIVEN_WAY);
  }

  /** Whether {@link #giveWay} came before the call that is to be executed. */
  boolean hasGivenWay() {
    return turn == GIVEN_WAY;
  }

  /**
   * Claims the channel, so that no frame of another thread is sent inside a message; false if none
   * may be sent now.
   */
  private boolean claim() {
    if (isOwn()) {
      return false;
    }
    while (!TURN.compareAndSet(this, EXECUTING, SENDING)) {
      if (isOwn()) {
        return false;
      }
      LockSupport.parkNanos(SIGN_NANOS);
    }
    return true;
  }

  /** Whether no other thread sends short frames. */
  private boolean isOwn() {
    int now = turn;
    return now == MESSAGES_ONLY || now == GIVEN_WAY;
  }

  /**
   * Starts a message in place of any that was not sent; a reply is started while the call is
   * executed.
   */
  void begin(int kind) {
    if (kind == FrameHeader.REPLY) {
      execute();
    }
    this.kind = kind;
    partSent = false;
    maybeSent = false;
    position = FrameHeader.HEADER_BYTES;
  }

  /**
   * Sends the next message by {@link OrderedByteChannel#sendAfterPause}: the peer may have gone.
   */
  void sendCarefully() {
    careful = true;
  }

  @Override
  public int progress() {
    return progress;
  }

  /** The number of bytes of messages that have left, or were about to. */
  public long sentBytes() {
    return sentBytes;
  }

  /** The number of bytes of the reply that is leaving in parts, as far as known; or 0. */
  long longReplyBytes() {
    return longReplyBytes;
  }

  /** True if the other end may have got the last message completely. */
  boolean isMaybeSent() {
    return maybeSent;
  }

  /** True once a part of the current message has left. */
  boolean isPartSent() {
    return partSent;
  }

  /** Sends the message, or the rest of it. */
  void end() throws ConnectionLostException {
    boolean large = bytes.length > FrameHeader.PART_BYTES * 2; // asked while it is in the caches
    send(0);
    if (large) {
      bytes = new byte[INITIAL_BYTES];
    }
    position = 0;
    if (partSent) {
      longReplyBytes = 0;
    }
  }

  @Override
  protected void makeRoom(int lengthBytes) throws IOException {
    if (position >= FrameHeader.PART_BYTES) {
      sendPart(lengthBytes);
    }
    if (bytes.length - position < lengthBytes) {
      super.makeRoom(lengthBytes);
    }
  }

  @Override
  protected void makeRoomForArray(long lengthBytes) throws IOException {
    if (position >= FrameHeader.PART_BYTES) {
      sendPart(lengthBytes);
    }
    makeRoom((int) Math.min(lengthBytes, FrameHeader.PART_BYTES));
  }

  /** Sends what is there of a message, of which at least {@code nextBytes} follow. */
  private void sendPart(long nextBytes) throws ConnectionLostException {
    if (kind == FrameHeader.REPLY) {
      owner.replyLeaves();
      longBytesBefore = (partSent ? longBytesBefore : 0) + position;
      longReplyBytes = longBytesBefore + nextBytes;
    }
    send(FrameHeader.MORE);
    partSent = true;
    position = FrameHeader.HEADER_BYTES;
  }

  /** Sends the bytes that are there, with no sign of life in between. */
  private void send(int flag) throws ConnectionLostException {
    boolean claimed = claim();
    boolean goesOn = false;
    try {
      sendFrames(flag);
      goesOn = flag != 0;
    } finally {
      if (claimed) {
        TURN.lazySet(this, goesOn ? EXECUTING : MESSAGES_ONLY);
      }
    }
  }

  /** A body longer than a frame can be leaves in several. */
  private void sendFrames(int flag) throws ConnectionLostException {
    int from = 0;
    int header = kind | (!partSent && owner.takeRenewal() ? FrameHeader.RENEW : 0);
    try {
      if (kind != FrameHeader.GIVES_WAY) { // else nothing more is read, and no rest may come
        owner.skipMessage();
      }
      while (position - from - FrameHeader.HEADER_BYTES > FrameHeader.MAXIMUM_BODY) {
        int length = FrameHeader.HEADER_BYTES + FrameHeader.MAXIMUM_BODY;
        FrameHeader.putHeader(bytes, from, header | FrameHeader.MORE, FrameHeader.MAXIMUM_BODY);
        transmit(from, length);
        from +=
            length
                - FrameHeader.HEADER_BYTES; // the next header takes the place of bytes already sent
        header = kind;
      }
      FrameHeader.putHeader(bytes, from, header | flag, position - from - FrameHeader.HEADER_BYTES);
      boolean last = flag == 0;
      maybeSent = last && channel.isSentInDoubt();
      if (careful) {
        careful = false;
        transmitAfterPause(from, position - from);
      } else {
        transmit(from, position - from);
      }
      maybeSent = last;
    } catch (ConnectionLostException e) {
      throw e;
    } catch (NothingSentException e) {
      maybeSent = false;
      throw new ConnectionLostException(e);
    } catch (IOException e) {
      throw new ConnectionLostException(e);
    }
  }

  private void transmitAfterPause(int from, int length) throws IOException {
    sentBytes += length;
    PROGRESS.lazySet(this, progress + 1);
    channel.sendAfterPause(bytes, from, length, FrameHeader.HEADER_BYTES);
    PROGRESS.lazySet(this, progress + 1);
  }

  private void transmit(int from, int length) throws IOException {
    sentBytes += length;
    PROGRESS.lazySet(this, progress + 1);
    int at = from;
    int left = length;
    while (left > SLICE_BYTES) {
      channel.send(bytes, at, SLICE_BYTES);
      PROGRESS.lazySet(this, progress + 2);
      at += SLICE_BYTES;
      left -= SLICE_BYTES;
    }
    channel.send(bytes, at, left);
    PROGRESS.lazySet(this, progress + 1);
  }
}

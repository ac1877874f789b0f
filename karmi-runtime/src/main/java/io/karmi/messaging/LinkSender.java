package io.karmi.messaging;

import io.karmi.guard.Ledger;
import io.karmi.messaging.frame.MessageFrame;
import io.karmi.messaging.frame.PartRead;
import io.karmi.messaging.frame.UnfinishedMessages;
import io.karmi.ring.OutgoingRing;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.rmi.ConnectIOException;
import java.rmi.MarshalException;
import java.rmi.RemoteException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The way of a message from {@code send} to the {@link LinkOutput}: a free lane is taken, the
 * message is marshalled there, and its bytes go to the network or into the ring, in as many frames
 * as they take.
 *
 * <p>Thread-safe.
 */
final class LinkSender {
  private static final int SMALLEST_FRAME_BYTES = MessageFrame.lengthOf(1);

  private final LinkOutput output;
  private final LinkOutput.Side link;
  private final Address address;
  private final UnfinishedMessages unfinished;

  /** What answers take that the other end does not take yet. */
  private final Ledger.Account untaken;

  /** Number of requests that were not answered yet. */
  final AtomicInteger requests = new AtomicInteger();

  /**
   * Length of the largest body that is sent; at most half a window, so that it always gets room.
   */
  private final int partBytes;

  /** Upper bound of a last part that leaves in one write with the part before it, in bytes. */
  private final int shortBytes;

  /** When a large message was last sent. */
  private volatile long largeAtNanos = System.nanoTime();

  /** The first one is that of ordered messages. */
  private final OutLane[] lanes;

  /** Whether it takes answers only. */
  private volatile boolean answersOnly;

  /**
   * The sender of a link.
   *
   * @param address of the other node
   * @param lanes of which the first one is that of ordered messages
   * @param windowBytes length of the shortest window of the other end
   */
  LinkSender(
      LinkOutput output,
      LinkOutput.Side link,
      Address address,
      OutLane[] lanes,
      int windowBytes,
      UnfinishedMessages unfinished,
      Ledger.Account untaken) {
    this.output = output;
    this.link = link;
    this.address = address;
    this.lanes = lanes;
    this.unfinished = unfinished;
    this.untaken = untaken;
    partBytes = Math.min(MessageFrame.PART_BYTES, windowBytes / 2 & -OutgoingRing.GRANULE);
    shortBytes = Math.min(PartRead.BEHIND_BYTES, partBytes) / 2;
  }

  /** The memory that an answer takes while it waits, in bytes, about. */
  long memoryOf(@Nullable Object answer) {
    return lanes[0].memoryOf(answer);
  }

  /** Takes answers only from now on. */
  void takeAnswersOnly() {
    answersOnly = true;
  }

  /** Whether it takes answers only. */
  boolean takesAnswersOnly() {
    return answersOnly;
  }

  /** Outcome of an attempt to send. */
  enum Sent {
    YES,
    /** It would have had to wait. */
    NO_ROOM,
    /** The link is being closed: another one is to be opened. */
    LINK_LEAVES
  }

  /** Sends an object that is not ordered, with nothing along. */
  Sent send(@Nullable Object object, int kind, long correlation, boolean mayWait)
      throws RemoteException {
    return send(object, kind, correlation, null, false, mayWait);
  }

  /**
   * Sends an object.
   *
   * @param header what is sent along if the other end knows of headers; null for nothing
   * @param ordered whether it goes after all ordered ones before it
   * @param mayWait false to return instead of waiting for room
   * @throws RemoteException if it cannot be marshalled, or the link is lost
   */
  Sent send(
      @Nullable Object object,
      int kind,
      long correlation,
      @Nullable Map<String, String> header,
      boolean ordered,
      boolean mayWait)
      throws RemoteException {
    if (!mayWait
        && !answersOnly
        && link.lostBecause() == null
        && !output.hasRoomFor(SMALLEST_FRAME_BYTES)) {
      return Sent.NO_ROOM; // before anything is marshalled
    }
    OutLane lane = ordered ? ordered(mayWait) : unordered(mayWait);
    if (lane == null) {
      return Sent.NO_ROOM;
    }
    try {
      if (kind < MessageFrame.ANSWER && answersOnly) {
        return Sent.LINK_LEAVES;
      }
      Throwable over = link.lostBecause();
      if (over != null) {
        throw new LinkLostException(over); // before anything is marshalled
      }
      lane.unpin(output.credited());
      lane.marshal(object, kind, correlation, header);
      if (!transmit(lane, kind, mayWait)) {
        lane.discard();
        return Sent.NO_ROOM;
      }
    } catch (LinkLostException e) {
      lane.lost();
      throw lost(e);
    } catch (IOException e) {
      throw new MarshalException("error marshalling a message for " + address, e);
    } finally {
      lane.lock.unlock();
    }
    kick(kind);
    Throwable why = link.lostBecause();
    if (kind == MessageFrame.MESSAGE && why != null && output.hasUnsent()) {
      throw lost(new LinkLostException(why)); // who asks is told by the future
    }
    return Sent.YES;
  }

  private RemoteException lost(LinkLostException why) {
    return new ConnectIOException(
        "the connection to " + address + " was lost while a message was sent", why);
  }

  /** A thread that asks and waits is served at once; what others send may wait for more. */
  private void kick(int kind) {
    if (kind == MessageFrame.MESSAGE) {
      output.kick(LinkOutput.Haste.BY_PAGE);
    } else if (isAwaited(kind)) {
      output.kick(LinkOutput.Haste.BY_THIS_THREAD);
    } else if (kind == MessageFrame.REQUEST || !output.isHoldingBack()) {
      output.kick(LinkOutput.Haste.BY_LINK_THREAD);
    }
  }

  /** Whether this is the only request, for whose answer its thread waits. */
  private boolean isAwaited(int kind) {
    return kind == MessageFrame.REQUEST && requests.get() == 1;
  }

  private @Nullable OutLane ordered(boolean mayWait) {
    OutLane lane = lanes[0];
    if (lane.lock.isHeldByCurrentThread()) {
      throw new IllegalStateException(
          "an ordered message cannot be sent from within the serialization of another one");
    }
    if (mayWait) {
      lane.lock.lock();
      return lane;
    }
    return lane.lock.tryLock() ? lane : null;
  }

  /** A lane that is free; else one that will be. */
  private @Nullable OutLane unordered(boolean mayWait) {
    int count = lanes.length - 1;
    int hint = (int) (Thread.currentThread().getId() % count);
    OutLane held = null;
    for (int i = 0; i < count; i++) {
      OutLane lane = lanes[1 + (hint + i) % count];
      if (lane.lock.isHeldByCurrentThread()) {
        held = lane; // a writeObject method sends another message
      } else if (lane.lock.tryLock()) {
        return lane;
      }
    }
    if (!mayWait) {
      return null;
    }
    OutLane lane = lanes[1 + hint];
    if (lane == held) {
      lane = lanes[1 + (hint + 1) % count];
    }
    lane.lock.lock();
    return lane;
  }

  /**
   * Gives what a lane has marshalled to the output.
   *
   * @return false if there is no room, and the caller does not wait
   */
  private boolean transmit(OutLane lane, int kind, boolean mayWait) throws IOException {
    int body = lane.buffer.position - MessageFrame.HEADER_BYTES;
    if (body <= partBytes) {
      return transmitWhole(lane, kind, body, mayWait);
    }
    if (!unfinished.begin(body, mayWait)) {
      return false;
    }
    Ledger.Account account = kind >= MessageFrame.ANSWER && mayWait ? untaken : null;
    if (account != null && !account.hold(body)) {
      account.keep(body); // it is there already, and its link gives way before those that get on
    }
    try {
      return transmitParts(lane, kind, body, mayWait);
    } finally {
      unfinished.end(body);
      if (account != null) {
        account.hold(-body);
      }
    }
  }

  private boolean transmitWhole(OutLane lane, int kind, int body, boolean mayWait)
      throws IOException {
    int length = lane.frame(MessageFrame.HEADER_BYTES, body, kind);
    boolean heldBack = output.isHoldingBack();
    byte[] bytes = lane.buffer.bytes;
    if (mayWait && !heldBack && output.goesPastRing(length)) {
      lane.sent(transmitPastRing(bytes, 0, length, true) + length);
      return true;
    }
    boolean mayGoPast = kind < MessageFrame.ANSWER || !heldBack;
    long start = mayGoPast ? output.trySendingPastRing(bytes, 0, length, isAwaited(kind)) : -1;
    if (start < 0) {
      start = output.reserve(length, mayWait);
      if (start < 0) {
        return false;
      }
      output.commit(start, bytes, 0, length, mayWait && !heldBack);
    }
    lane.sent(start + length);
    return true;
  }

  /**
   * Sends a message in parts. Where the caller does not wait, that needs room for all of them,
   * which then follow each other.
   */
  private boolean transmitParts(OutLane lane, int kind, int body, boolean mayWait)
      throws IOException {
    long end = mayWait ? 0 : output.tryReserveWhole(bytesOfParts(body));
    if (end < 0) {
      return false;
    }
    largeAtNanos = System.nanoTime();
    boolean mayBlock = !output.isHoldingBack();
    int from = MessageFrame.HEADER_BYTES;
    for (int left = body; left > 0; ) {
      int part = Math.min(left, partBytes);
      left -= part;
      int at = from - MessageFrame.HEADER_BYTES;
      int length = lane.frame(from, part, left > 0 ? kind | MessageFrame.MORE : kind);
      if (left > 0 && left <= shortBytes) {
        length += lane.frame(lane.moveForHeader(from + part, left), left, kind);
        left = 0;
      }
      if (mayWait) {
        end = transmitPastRing(lane.buffer.bytes, at, length, mayBlock);
      } else {
        output.commit(end, lane.buffer.bytes, at, length, false);
      }
      end += length;
      from += part;
    }
    lane.sent(end);
    return true;
  }

  /**
   * Sends a frame, or a part, past the ring and behind what lies there, also where it has to wait
   * for a credit first; puts it into the ring if others send meanwhile. Returns where it begins.
   */
  private long transmitPastRing(byte[] bytes, int at, int length, boolean mayBlock)
      throws IOException {
    long start = mayBlock ? output.sendPastRing(bytes, at, length) : -1;
    if (start < 0 && mayBlock) {
      output.awaitRoomFor(length);
      start = output.sendPastRing(bytes, at, length);
    }
    if (start < 0) {
      start = output.reserve(length, true);
      output.commit(start, bytes, at, length, false);
      output.kick(LinkOutput.Haste.BY_PAGE);
    }
    return start;
  }

  /** When a message in parts was last sent, as {@link System#nanoTime} tells it. */
  long largeAtNanos() {
    return largeAtNanos;
  }

  private long bytesOfParts(int body) {
    long whole = (long) (body / partBytes) * MessageFrame.lengthOf(partBytes);
    int rest = body % partBytes;
    return rest == 0 ? whole : whole + MessageFrame.lengthOf(rest);
  }

  /** The other end asks for fresh types in a lane. */
  void renew(int lane) throws IOException {
    if (lane >= lanes.length) {
      throw new StreamCorruptedException("a renewal of lane " + lane + ", which is not there");
    }
    lanes[lane].renew();
  }

  /** The other end has processed bytes: lets go of what they referred to. */
  void unpinIdleLanes(long credited) {
    for (OutLane lane : lanes) {
      if (lane.hasPins() && !lane.lock.isHeldByCurrentThread() && lane.lock.tryLock()) {
        try {
          lane.unpin(credited);
        } finally {
          lane.lock.unlock();
        }
      }
    }
  }

  /** Does something while all lanes are held; nothing if one is in use, and that is false. */
  boolean whileNoThreadSends(BooleanSupplier action) {
    int locked = 0;
    try {
      while (locked < lanes.length && lanes[locked].lock.tryLock()) {
        locked++;
      }
      return locked == lanes.length && action.getAsBoolean();
    } finally {
      while (locked > 0) {
        lanes[--locked].lock.unlock();
      }
    }
  }

  /**
   * Waits for the threads that send at the moment.
   *
   * @return false if one of them still does at that time
   */
  boolean awaitThoseSending(long deadlineNanos) throws InterruptedException {
    for (OutLane lane : lanes) {
      if (!lane.lock.tryLock(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        return false;
      }
      lane.lock.unlock();
    }
    return true;
  }

  /** Gives back what lanes hold for messages to come. No thread may send meanwhile. */
  void rest() {
    for (OutLane lane : lanes) {
      lane.rest();
    }
  }

  /** Bytes in which messages are marshalled. */
  long heldBytes() {
    long held = 0;
    for (OutLane lane : lanes) {
      held += lane.buffer.bytes.length;
    }
    return held;
  }
}

package io.karmi.messaging;

import io.karmi.guard.Ledger;
import io.karmi.guard.Ledgers;
import io.karmi.id.NodeId;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.RemoteTranslation;
import io.karmi.messaging.frame.MessageFrame;
import io.karmi.messaging.frame.TablePressure;
import io.karmi.messaging.frame.Twin;
import io.karmi.messaging.frame.UnfinishedMessages;
import io.karmi.ring.OutgoingRing;
import io.karmi.technology.Pipe;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.rmi.AccessException;
import java.rmi.MarshalException;
import java.rmi.RemoteException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The connection to one node, as messages see it: lanes, a {@link LinkOutput} that sends and a
 * {@link LinkInput} that receives.
 *
 * <p>Thread-safe.
 */
final class Link {
  /** Length of the shortest frame with a message in it. */
  private static final int SMALLEST_FRAME_BYTES = MessageFrame.lengthOf(1);

  private final LinkOwner owner;
  private final Pipe pipe;
  private final Address address;
  private final LinkOutput output;
  private final LinkInput input;
  private final UnfinishedMessages unfinished;

  /** What its lanes keep of the other end's types. */
  private final Ledger.Account tables;

  /** What the parts of messages take that have not come whole. */
  private final Ledger.Account memory;

  /** What messages take that are being read. */
  private final Ledger.Account reading;

  private final TablePressure pressure = new TablePressure();

  /**
   * Length of the largest body that is sent; at most half a window, so that it always gets room.
   */
  private final int partBytes;

  private final OutLane[] outLanes;
  private final OwedAnswers owed = new OwedAnswers(this);
  private final LinkSilence silence = new LinkSilence();

  /** When this end has last given a sign of life; of the thread that looks after links. */
  private long signAtNanos = System.nanoTime();

  /** Lanes of the other end; made when the first frame of each comes, by the reading thread. */
  private final @Nullable InLane[] inLanes = new InLane[MessageFrame.MAXIMUM_LANES];

  private final @Nullable ObjectInputFilter filter;
  private final boolean accepted;
  private final Twin<Link> twin;
  private volatile @Nullable Throwable lostBecause;
  private volatile boolean lossKnown;
  private volatile boolean dropped;
  private @Nullable Runnable whenEnded;

  /** Whether this end takes no more messages to send, and the other. */
  private volatile boolean leaving;

  private volatile boolean left;
  private final AtomicInteger answers = new AtomicInteger();
  private final AtomicInteger requests = new AtomicInteger();

  /** When this end has begun to leave. */
  private volatile long leavingAtNanos;

  private volatile boolean goodbyeSaid;

  /** Whether it is this end that closes, once it has processed all. */
  private volatile boolean closing;

  /**
   * Makes a link of a pipe, which it owns from now on.
   *
   * @param address of the other node
   * @param dialled where this node has opened it; null if the other one has
   * @param filter what messages may contain, or null for what the JVM allows
   */
  Link(
      LinkOwner owner,
      Pipe pipe,
      Address address,
      @Nullable TechnologyId dialled,
      @Nullable ObjectInputFilter filter) {
    this.owner = owner;
    this.pipe = pipe;
    this.address = address;
    this.accepted = dialled == null;
    twin = new Twin<>(dialled == null ? null : dialled.toString());
    this.filter = filter;
    MessagingSettings settings = owner.settings();
    output = new LinkOutput(this, settings);
    input = new LinkInput(this, settings.windowBytes);
    unfinished = new UnfinishedMessages(settings.messageBytes);
    tables =
        Ledgers.tables().open(pipe::host, Ledgers.FREE_TABLE_BYTES, reason -> pressure.ask(reason));
    memory = Ledgers.messages().open(pipe::host, 0, this::giveWay);
    reading = Ledgers.messages().open(pipe::host, 0, this::giveWay);
    partBytes = Math.min(MessageFrame.PART_BYTES, settings.windowBytes / 2 & -OutgoingRing.GRANULE);
    outLanes = new OutLane[settings.lanes];
    for (int i = 0; i < outLanes.length; i++) {
      outLanes[i] = new OutLane(i, pipe, owner.translation(), owner.arrays());
    }
  }

  /** Says what is done once when it ends; before it is started. */
  void whenEnded(Runnable action) {
    whenEnded = action;
  }

  /** Begins to receive. */
  void start() {
    input.start();
  }

  /** Ends it, as others need the memory of its unfinished messages. */
  private boolean giveWay(String reason) {
    owner.execute(() -> drop(new IOException(reason)));
    return true;
  }

  /** Ends it, and handles nothing more of what has come. */
  void drop(Throwable because) {
    dropped = true;
    end(because);
    letGo();
  }

  /** Gives back what was held for messages that have come. */
  private void letGo() {
    memory.close();
    reading.retire(); // a thread may be in code of the program, and hold what it has read
    tables.close();
    for (InLane lane : inLanes) {
      if (lane != null) {
        lane.end();
      }
    }
  }

  /** Whether nothing more is handled of what has come. */
  boolean isDropped() {
    return dropped;
  }

  Pipe pipe() {
    return pipe;
  }

  NodeId remote() {
    return pipe.remote();
  }

  Address address() {
    return address;
  }

  /** Whether the other node has opened it, which then only says who it is. */
  boolean isAccepted() {
    return accepted;
  }

  /** What it knows of another link to the same node. */
  Twin<Link> twin() {
    return twin;
  }

  /** Another link to the same node, if it is known and can be sent over. */
  @Nullable Link otherOpen() {
    Link known = twin.other();
    return known != null && known.isOpen() ? known : null;
  }

  /** Whether the loss of the node has been told already. */
  boolean isLossKnown() {
    return lossKnown;
  }

  void lossKnown() {
    lossKnown = true;
  }

  /** Why a message that has come may not be read; null if it may. */
  @Nullable AccessException refusal(boolean request) {
    return owner.refusal(pipe, request);
  }

  /** Whether an answer with this number is wanted by this end. */
  boolean awaits(long number) {
    return owner.awaits(number, this);
  }

  /**
   * Describes a deadline that the other end has missed, or null. Called periodically by one thread.
   */
  @Nullable String failing(long now) {
    MessagingSettings settings = owner.settings();
    long writeNanos = settings.writeTimeoutMillis * 1_000_000;
    if (writeNanos > 0) {
      if (leaving && isSilentFor(now, writeNanos)) {
        return "has not said goodbye for "
            + settings.writeTimeoutMillis
            + " ms (karmi.writeTimeout)";
      }
      if (output.isStuckFor(now, writeNanos, accepted)) {
        return "has taken nothing for " + settings.writeTimeoutMillis + " ms (karmi.writeTimeout)";
      }
    }
    String silent =
        silence.exceeded(
            now, output.hasWaiting(), requests.get() > 0, input.usedAtNanos(), settings);
    if (silent != null) {
      return silent;
    }
    if (pressure.isOver(now, tables.held(), this::askForRenewals)) {
      return "keeps its types, of which others have no room: " + tables;
    }
    long messageNanos = settings.messageTimeoutMillis * 1_000_000;
    if (messageNanos > 0 && input.isQuiet()) {
      for (InLane lane : inLanes) {
        if (lane != null && lane.isUnfinishedFor(now, messageNanos)) {
          return "has not gone on with a message for "
              + settings.messageTimeoutMillis
              + " ms (karmi.messageTimeout)";
        }
      }
    }
    return null;
  }

  private void askForRenewals() {
    for (int lane = 0; lane < inLanes.length; lane++) {
      if (inLanes[lane] != null) {
        askForRenewal(lane);
      }
    }
  }

  /** Whether the other end is to say goodbye, and this one does nothing that it may wait for. */
  private boolean isSilentFor(long now, long nanos) {
    return now - leavingAtNanos > nanos
        && now - usedAtNanos() > nanos
        && answers.get() == 0
        && requests.get() == 0
        && input.isQuiet();
  }

  /**
   * Tells the other end that this one works for it, if it does; else that all is processed, of
   * which the last bytes are not told at once. To be called now and then.
   */
  void giveSign(long now) {
    boolean works = !input.isQuiet() || answers.get() > 0;
    if (!works && input.tellAll()) {
      output.sendCredit(input.processedBytes());
    } else if (works && now - signAtNanos > LinkSilence.SIGN_NANOS) {
      signAtNanos = now;
      output.sign();
    }
  }

  OwedAnswers owed() {
    return owed;
  }

  LinkOwner owner() {
    return owner;
  }

  LinkOutput output() {
    return output;
  }

  LinkInput input() {
    return input;
  }

  RemoteTranslation translation() {
    return owner.translation();
  }

  /** What its lanes keep of the other end's types. */
  Ledger.Account tables() {
    return tables;
  }

  /** What the parts of messages take that have not come whole. */
  Ledger.Account memory() {
    return memory;
  }

  /** What messages take that are being read. */
  Ledger.Account reading() {
    return reading;
  }

  /** Whether it is to be closed when it is quiet, so that others can keep types. */
  boolean isToGiveWay() {
    return pressure.isAsked();
  }

  UnfinishedMessages unfinished() {
    return unfinished;
  }

  long maximumMessageBytes() {
    return owner.settings().messageBytes;
  }

  /** Where classes of messages are looked for first. */
  @Nullable ClassLoader loader() {
    return owner.loader();
  }

  @Nullable ObjectInputFilter filter() {
    return filter;
  }

  /** Outcome of an attempt to send. */
  enum Sent {
    YES,
    /** It would have had to wait. */
    NO_ROOM,
    /** The link is being closed, as it was idle: another one is to be opened. */
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
    if (!mayWait && !leaving && !isLost() && !output.hasRoomFor(SMALLEST_FRAME_BYTES)) {
      return Sent.NO_ROOM; // before anything is marshalled
    }
    OutLane lane = ordered ? ordered(mayWait) : unordered(mayWait);
    if (lane == null) {
      return Sent.NO_ROOM;
    }
    try {
      if (leaving && kind < MessageFrame.ANSWER) {
        return Sent.LINK_LEAVES;
      }
      lane.unpin(output.credited());
      boolean headed = header != null && !header.isEmpty() && pipe.takesHeaders();
      lane.marshal(object, kind, correlation, headed ? header : null);
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
    return Sent.YES;
  }

  /** A thread that asks and waits is served at once; what others send may wait for more. */
  private void kick(int kind) {
    switch (kind) {
      case MessageFrame.MESSAGE:
        output.kick(LinkOutput.Haste.MAY_WAIT);
        break;
      case MessageFrame.REQUEST:
        output.kick(requests.get() == 1 ? LinkOutput.Haste.AT_ONCE : LinkOutput.Haste.SOON);
        break;
      default:
        if (!output.isHoldingBack()) {
          output.kick(LinkOutput.Haste.SOON);
        }
    }
  }

  private long sendIfCalm(OutLane lane, int kind, int length) throws IOException {
    if (kind >= MessageFrame.ANSWER && output.isHoldingBack()) {
      return -1;
    }
    boolean waitedFor = kind == MessageFrame.REQUEST && requests.get() == 1;
    return output.sendIfCalm(lane.buffer.bytes, 0, length, waitedFor);
  }

  private RemoteException lost(LinkLostException e) {
    return new java.rmi.ConnectIOException(
        "the connection to " + address + " was lost while a message was sent", e);
  }

  private @Nullable OutLane ordered(boolean mayWait) {
    OutLane lane = outLanes[0];
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
    int count = outLanes.length - 1;
    int hint = (int) (Thread.currentThread().getId() % count);
    OutLane held = null;
    for (int i = 0; i < count; i++) {
      OutLane lane = outLanes[1 + (hint + i) % count];
      if (lane.lock.isHeldByCurrentThread()) {
        held = lane; // a writeObject method sends another message
      } else if (lane.lock.tryLock()) {
        return lane;
      }
    }
    if (!mayWait) {
      return null;
    }
    OutLane lane = outLanes[1 + hint];
    if (lane == held) {
      lane = outLanes[1 + (hint + 1) % count];
    }
    lane.lock.lock();
    return lane;
  }

  /** Puts what a lane has marshalled into the ring, in as many frames as it takes. */
  private boolean transmit(OutLane lane, int kind, boolean mayWait) throws IOException {
    int body = lane.buffer.position - MessageFrame.HEADER_BYTES;
    if (body <= partBytes) {
      int length = lane.frame(MessageFrame.HEADER_BYTES, body, kind);
      long start = sendIfCalm(lane, kind, length);
      if (start < 0) {
        start = output.reserve(length, mayWait);
        if (start < 0) {
          return false;
        }
        boolean mayBlock = mayWait && !output.isHoldingBack();
        output.commit(start, lane.buffer.bytes, 0, length, mayBlock);
      }
      lane.sent(start + length);
      return true;
    }
    if (!unfinished.begin(body, mayWait)) {
      return false;
    }
    try {
      if (!mayWait) {
        return tryTransmitParts(lane, kind, body);
      }
      transmitParts(lane, kind, body, !output.isHoldingBack());
      return true;
    } finally {
      unfinished.end(body);
    }
  }

  /** Sends a message in parts if there is room for all of them, which then follow each other. */
  private boolean tryTransmitParts(OutLane lane, int kind, int body) throws IOException {
    long to = output.tryReserveWhole(bytesOfParts(body));
    if (to < 0) {
      return false;
    }
    int from = MessageFrame.HEADER_BYTES;
    for (int left = body; left > 0; ) {
      int part = Math.min(left, partBytes);
      left -= part;
      int length = lane.frame(from, part, left > 0 ? kind | MessageFrame.MORE : kind);
      output.commit(to, lane.buffer.bytes, from - MessageFrame.HEADER_BYTES, length, false);
      to += length;
      from += part;
    }
    lane.sent(to);
    return true;
  }

  /**
   * Sends a message in parts.
   *
   * @param mayBlock whether this thread may wait for the network
   */
  private void transmitParts(OutLane lane, int kind, int body, boolean mayBlock)
      throws IOException {
    long end = 0;
    int from = MessageFrame.HEADER_BYTES;
    for (int left = body; left > 0; ) {
      int part = Math.min(left, partBytes);
      left -= part;
      int length = lane.frame(from, part, left > 0 ? kind | MessageFrame.MORE : kind);
      end = length + transmitPart(lane, from - MessageFrame.HEADER_BYTES, length, mayBlock);
      from += part;
    }
    lane.sent(end);
  }

  private long transmitPart(OutLane lane, int from, int length, boolean mayBlock)
      throws IOException {
    byte[] bytes = lane.buffer.bytes;
    long start = mayBlock ? output.sendPastRing(bytes, from, length) : -1;
    if (start < 0) {
      start = output.reserve(length, true);
      output.commit(start, bytes, from, length, false);
      output.kick(LinkOutput.Haste.MAY_WAIT);
    }
    return start;
  }

  private long bytesOfParts(int body) {
    long whole = (long) (body / partBytes) * MessageFrame.lengthOf(partBytes);
    int rest = body % partBytes;
    return rest == 0 ? whole : whole + MessageFrame.lengthOf(rest);
  }

  /** The lane of the other end with this number; called by the reading thread. */
  InLane inLane(int number) {
    InLane lane = inLanes[number];
    if (lane == null) {
      lane = new InLane(this, number);
      inLanes[number] = lane;
    }
    return lane;
  }

  /**
   * Bytes of frames that were received have been processed: the other end may send as many more.
   *
   * @param soon whether the other end waits for just this
   */
  void processed(int bytes, boolean soon) {
    if (input.processed(bytes, soon, leaving)) {
      output.sendCredit(input.processedBytes());
    }
    if (isLost() && input.isAllProcessed()) {
      letGo();
    }
  }

  /** Has the other end begin a lane with fresh types. */
  void askForRenewal(int lane) {
    output.sendRenewal(lane);
  }

  /** The other end asks for fresh types in a lane of this end. */
  void renew(int lane) throws IOException {
    if (lane >= outLanes.length) {
      throw new java.io.StreamCorruptedException(
          "a renewal of lane " + lane + ", which is not there");
    }
    outLanes[lane].renew();
  }

  /** The other end has processed bytes: lets go of what they referred to. */
  void unpinIdleLanes(long credited) {
    for (OutLane lane : outLanes) {
      if (lane.hasPins() && !lane.lock.isHeldByCurrentThread() && lane.lock.tryLock()) {
        try {
          lane.unpin(credited);
        } finally {
          lane.lock.unlock();
        }
      }
    }
  }

  /** When something was last sent or received, as {@link System#nanoTime} tells it. */
  long usedAtNanos() {
    return Math.max(output.usedAtNanos(), input.usedAtNanos());
  }

  /** A request will be sent over this link. */
  void requestBegins() {
    requests.incrementAndGet();
  }

  /** A request has been answered, or has failed. */
  void requestEnds() {
    requests.decrementAndGet();
  }

  /** The number of requests over this link that were not answered yet. */
  int requestsUnderWay() {
    return requests.get();
  }

  /** An answer will be sent over this link. */
  void answerBegins() {
    answers.incrementAndGet();
  }

  /** An answer that was to be sent has been, or cannot be. */
  void answerEnds() {
    answers.decrementAndGet();
  }

  /** Whether nothing is under way in either direction, and nothing is expected. */
  boolean isQuiet() {
    return output.isDrained() && input.isQuiet() && answers.get() == 0;
  }

  /**
   * Takes no messages and requests any more, but answers, and says goodbye behind what was taken.
   * To be called when the link is {@linkplain #isQuiet quiet}; what is being sent at the moment
   * still goes.
   */
  void leave() {
    beginToLeave();
    for (OutLane lane : outLanes) {
      lane.lock.lock(); // who had it has not seen that the link leaves
      lane.lock.unlock();
    }
    sayGoodbye();
  }

  /** False if it had begun before. */
  private synchronized boolean beginToLeave() {
    if (leaving) {
      return false;
    }
    leavingAtNanos = System.nanoTime();
    leaving = true;
    return true;
  }

  private void sayGoodbye() {
    output.sendGoodbye();
    goodbyeSaid = true;
  }

  /** Whether this end has said goodbye. */
  boolean hasSaidGoodbye() {
    return goodbyeSaid;
  }

  /**
   * As {@link #leave}, of a link that may be busy: false if it still is at that time, and then this
   * is to be called again.
   */
  boolean leaveUntil(long deadlineNanos) throws InterruptedException {
    beginToLeave();
    for (OutLane lane : outLanes) {
      if (!lane.lock.tryLock(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        return false;
      }
      lane.lock.unlock();
    }
    sayGoodbye();
    return true;
  }

  /**
   * As {@link #leave}, if no thread is sending at this moment; else nothing happens. For the thread
   * that reads, on which senders may wait.
   */
  void leaveIfIdle() {
    if (leaveAtOnce()) {
      sayGoodbye();
    }
  }

  private synchronized boolean leaveAtOnce() {
    if (leaving) {
      return false;
    }
    beginToLeave();
    for (OutLane lane : outLanes) {
      if (!lane.lock.tryLock()) {
        leaving = false;
        return false;
      }
      lane.lock.unlock();
    }
    return true;
  }

  /** Bytes that are held for messages that come and go. */
  long heldBytes() {
    long held = output.heldBytes() + input.heldBytes();
    for (OutLane lane : outLanes) {
      held += lane.buffer.bytes.length;
    }
    return held;
  }

  /** Gives back what is held for messages to come. To be called when the link is quiet. */
  void rest() {
    whileNoThreadSends(
        () -> {
          output.rest();
          return true;
        });
  }

  /**
   * As {@link #leave}, if all that was sent over it has been processed, and nothing is under way;
   * else nothing happens.
   */
  boolean leaveIfProcessed() {
    boolean leaves =
        whileNoThreadSends(
            () -> output.isProcessed() && isQuiet() && requests.get() == 0 && beginToLeave());
    if (leaves) {
      sayGoodbye();
    }
    return leaves;
  }

  /** Does something while all lanes are held; nothing if one is in use, and that is false. */
  private boolean whileNoThreadSends(BooleanSupplier action) {
    int locked = 0;
    try {
      while (locked < outLanes.length && outLanes[locked].lock.tryLock()) {
        locked++;
      }
      return locked == outLanes.length && action.getAsBoolean();
    } finally {
      while (locked > 0) {
        outLanes[--locked].lock.unlock();
      }
    }
  }

  /** Whether it can be sent over. */
  boolean isOpen() {
    return !isLeaving() && !isLost();
  }

  /** Whether either end has said goodbye. */
  boolean isLeaving() {
    return leaving || left;
  }

  /**
   * The other end has said goodbye. It closes when it has got this end's; if this end was first, it
   * closes when it has processed what has come.
   */
  void left() {
    boolean first = leaving; // before this end answers, which the owner may do at once
    left = true;
    owner.forget(this);
    if (first) {
      closing = true;
      endIfOver();
    }
  }

  /** Ends the link if both ends have said goodbye, and nothing is left to do. */
  void endIfOver() {
    if (closing && goodbyeSaid && input.isQuiet() && output.isDrained()) {
      end(new EOFException("both ends have closed the connection"));
    }
  }

  /** Whether the other end waits for this one's goodbye. */
  boolean owesGoodbye() {
    return left && !leaving;
  }

  boolean isLost() {
    return lostBecause != null;
  }

  @Nullable Throwable lostBecause() {
    return lostBecause;
  }

  /** Ends the link: its pipe has failed, was closed, or its peer has broken the rules. */
  void end(Throwable because) {
    synchronized (this) {
      if (lostBecause != null) {
        return;
      }
      lostBecause = because;
    }
    Runnable action = whenEnded;
    if (action != null) {
      action.run();
    }
    pipe.close();
    output.end();
    unfinished.close();
    if (input.isAllProcessed()) {
      letGo();
    } // else what has come is still handled
    owner.ended(this, because, !leaving); // the other end closes when it has got a goodbye
  }
}

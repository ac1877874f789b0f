package io.karmi.messaging;

import io.karmi.guard.AllocatedBytes;
import io.karmi.guard.MessageMemory;
import io.karmi.marshal.CallHeader;
import io.karmi.marshal.CallInput;
import io.karmi.messaging.channel.ChannelGraph;
import io.karmi.messaging.channel.GraphFailure;
import io.karmi.messaging.frame.Chunk;
import io.karmi.messaging.frame.CountedBuffer;
import io.karmi.messaging.frame.FrameFinder;
import io.karmi.messaging.frame.MessageFrame;
import io.karmi.messaging.frame.MessageParts;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.rmi.AccessException;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The receiving end of one lane: frames that have arrived and are to be taken apart in their order.
 *
 * <p>The reading thread adds frames: those that lie one behind the other at a time. One thread at a
 * time, the one that has {@linkplain #add been told to} or that has {@linkplain #next got} the last
 * message, takes messages out.
 *
 * <p>That thread may keep the lane while the program handles a message, which saves giving it to
 * another one for each message. If that takes long, the lane is {@linkplain #takeAway taken away}
 * from it, and another thread goes on with the message behind.
 */
final class InLane implements FrameFinder.Lane {
  /** Time after a lane was taken away during which no thread keeps it. */
  private static final long SLOW_NANOS = 10_000_000;

  private static final VarHandle TURN;

  static {
    try {
      TURN = MethodHandles.lookup().findVarHandle(InLane.class, "turn", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * Upper bound of bytes that types may take beyond their room, until those that were asked for
   * begin.
   */
  private static final long UNCOUNTED_BYTES = 8 * 1024;

  final Link link;
  final int number;

  private final MessageMemory memory;
  private final CountedBuffer buffer;
  private final CallInput in;

  /** Frames that lie one behind the other in a chunk, which they hold. */
  private record Run(Chunk chunk, int offset, int end) {}

  private final Runnable goOn = this::goOn;

  /** Runs that are to be taken apart; guarded by this. */
  private final ArrayDeque<Run> runs = new ArrayDeque<>(1);

  /** Whether a thread takes messages out, or is to; guarded by this. */
  private boolean scheduled;

  /* The run that is being taken apart, and where its next frame is; of the thread that does. */
  private @Nullable Chunk run;
  private int runAt;
  private int runEnd;

  /**
   * Odd while a thread that keeps the lane handles a message, else even; a number never comes
   * again.
   */
  private volatile long turn;

  private volatile boolean slow;
  private volatile long slowUntilNanos;

  /** The beginning of a message that comes in parts. */
  private final MessageParts parts;

  /** Whether the sender has been asked for fresh types, and they have not come. */
  private boolean renewalAsked;

  /** Why no message can be read until they come; null if it can. */
  private @Nullable String typesLost;

  InLane(Link link, int number) {
    this.link = link;
    this.number = number;
    this.memory = new MessageMemory(link.reading, this::sender);
    this.buffer = new CountedBuffer(memory, link.pipe.peerName());
    this.in = new CallInput(buffer, link.pipe.format(), link.owner.translation());
    this.parts =
        new MessageParts(
            link.owner.arrays(),
            link.memory,
            link.unfinished,
            link.owner.settings().messageBytes,
            this::sender);
    in.followEachOther();
    in.keepTypesIn(link.tables);
  }

  private void goOn() {
    link.owner.handlers().add(this);
  }

  private String sender() {
    return link.pipe.peerName() + " (node " + link.pipe.remote() + ')';
  }

  /**
   * Adds frames that lie one behind the other; the chunk is held until they are taken apart.
   *
   * @return true if the lane is to be scheduled, by the caller
   */
  @Override
  public synchronized boolean add(Chunk chunk, int offset, int end) {
    runs.addLast(new Run(chunk, offset, end));
    if (scheduled) {
      return false;
    }
    scheduled = true;
    return true;
  }

  /**
   * Whether other messages wait behind the one that was taken; if none do, the lane is free again.
   */
  boolean hasMore() {
    return run != null || hasMoreRuns();
  }

  private synchronized boolean hasMoreRuns() {
    scheduled = !runs.isEmpty();
    return scheduled;
  }

  /** Begins with the next run; if there is none, the lane is free again. */
  private synchronized @Nullable Chunk nextRun() {
    Run next = runs.pollFirst();
    if (next == null) {
      scheduled = false;
      return null;
    }
    run = next.chunk();
    runAt = next.offset();
    runEnd = next.end();
    return run;
  }

  /**
   * Takes the next complete message out.
   *
   * @return false if there is none; then the lane is free again, or goes on when there is memory
   *     for answers
   * @throws IOException if the peer has broken the rules; the link is to be closed
   */
  boolean next(Incoming message) throws IOException {
    while (true) {
      if (link.owed.holdsBack(goOn)) {
        return false;
      }
      Chunk chunk = run;
      if (chunk == null && (chunk = nextRun()) == null) {
        return false;
      }
      if (link.dropped) {
        throw new EOFException("nothing more is handled of this connection");
      }
      int at = runAt;
      runAt += MessageFrame.lengthOf(MessageFrame.bodyBytes(chunk.bytes, at));
      try {
        if (takeFrame(chunk.bytes, at, message)) {
          return true;
        }
      } finally {
        if (runAt == runEnd) {
          run = null;
          chunk.release();
        }
      }
    }
  }

  /**
   * The thread that has taken a message out handles it now, and keeps the lane.
   *
   * @return the number of its turn, for {@link #goOn}
   */
  long beginTurn() {
    long begun = turn + 1;
    TURN.setRelease(this, begun);
    return begun;
  }

  /** It has handled the message: whether it still has the lane. */
  boolean goOn(long begun) {
    return TURN.compareAndSet(this, begun, begun + 1);
  }

  /** Which message is being handled. */
  long turn() {
    return turn;
  }

  /**
   * Takes the lane away from the thread that keeps it while it handles a message.
   *
   * @param begun which message it has handled for long
   * @return whether the caller has the lane now
   */
  boolean takeAway(long begun) {
    if ((begun & 1) == 0 || !TURN.compareAndSet(this, begun, begun + 1)) {
      return false;
    }
    slowUntilNanos = System.nanoTime() + SLOW_NANOS;
    slow = true;
    return true;
  }

  /** Whether a thread may keep the lane while it handles a message. */
  boolean mayBeKept() {
    if (slow && System.nanoTime() - slowUntilNanos > 0) {
      slow = false;
    }
    return !slow;
  }

  private boolean takeFrame(byte[] bytes, int offset, Incoming message) throws IOException {
    int body = MessageFrame.bodyBytes(bytes, offset);
    int rest = MessageFrame.rest(bytes, offset);
    int start = offset + MessageFrame.HEADER_BYTES;
    int frameBytes = MessageFrame.lengthOf(body);
    if (MessageFrame.goesOn(rest)) {
      parts.append(bytes, start, body);
      link.partProcessed(frameBytes);
      return false;
    }
    message.kind = MessageFrame.kind(rest);
    message.headed = MessageFrame.hasHeader(rest);
    message.frameBytes = frameBytes;
    if (MessageFrame.isFresh(rest)) {
      in.startTypesAfresh();
      renewalAsked = false;
      typesLost = null;
    }
    if (parts.isBegun()) {
      parts.append(bytes, start, body);
      int length = parts.length();
      byte[] whole = parts.take();
      memory.begin(whole.length);
      link.memory.hold(-whole.length);
      try {
        unmarshal(whole, 0, length, message);
      } finally {
        memory.end();
        link.owner.arrays().giveBack(whole);
      }
    } else {
      memory.begin();
      try {
        unmarshal(bytes, start, start + body, message);
      } finally {
        memory.end();
      }
    }
    return true;
  }

  /**
   * The reading thread reads the next part itself, straight to the parts that have come, unless
   * frames before it still wait. To be called before it is {@linkplain #add added}.
   *
   * @return the parts, which belong to the caller until {@link #endPart}; null if frames wait
   */
  @Override
  public @Nullable MessageParts beginPart() {
    synchronized (this) {
      if (scheduled) {
        return null;
      }
      scheduled = true;
    }
    return parts;
  }

  /** The reading thread has read the part. */
  @Override
  public void endPart(int frameBytes) {
    synchronized (this) {
      scheduled = false;
    }
    link.partProcessed(frameBytes);
  }

  /**
   * Nothing more comes, and what has come is handled, or will not be: parts that have come are let
   * go, though threads that have had the lane may remember it.
   */
  void end() {
    parts.close();
  }

  /** Whether a message has begun to come whose next part has not, for so long. */
  boolean isUnfinishedFor(long now, long nanos) {
    return parts.isUnfinishedFor(now, nanos);
  }

  private void unmarshal(byte[] bytes, int from, int to, Incoming message) throws IOException {
    int start = from;
    message.clear();
    if (message.kind != MessageFrame.MESSAGE) {
      if (to - from < Long.BYTES) {
        throw new StreamCorruptedException("a request or answer without its number");
      }
      message.correlation = MessageFrame.getLong(bytes, from);
      start += Long.BYTES;
    }
    if (message.headed) {
      start = readHeader(bytes, start, to, message);
    }
    boolean wanted = isWanted(message);
    if (typesLost != null) {
      if (message.problem == null) {
        message.problem =
            new StreamCorruptedException("its types were lost with a message before: " + typesLost);
      }
      return;
    }
    if (wanted) {
      read(bytes, start, to, message);
    } else {
      pass(bytes, start, to);
    }
    if (in.takeRenewal()) {
      wishForRenewal();
    }
    if (in.uncountedTypeBytes() > UNCOUNTED_BYTES) {
      throw new StreamCorruptedException(
          "types of "
              + in.uncountedTypeBytes()
              + " bytes more than there is room for: of what peers have described "
              + link.tables);
    }
  }

  /** Reads what interceptors have sent along; returns where the object begins. */
  private int readHeader(byte[] bytes, int start, int end, Incoming message) throws IOException {
    buffer.show(bytes, start, end);
    try {
      message.header = CallHeader.read(buffer);
      return buffer.position;
    } finally {
      buffer.forget();
    }
  }

  /** Whether a message may be read: nothing is made of one that has no right to be here. */
  private boolean isWanted(Incoming message) {
    switch (message.kind) {
      case MessageFrame.MESSAGE:
      case MessageFrame.REQUEST:
        AccessException refusal = link.refusal(message.kind == MessageFrame.REQUEST);
        message.problem = refusal;
        message.refused = refusal != null;
        return refusal == null;
      default:
        return link.awaits(message.correlation);
    }
  }

  private void pass(byte[] bytes, int start, int end) {
    buffer.show(bytes, start, end);
    in.beginMessage();
    try {
      typesLost = in.passMessage() ? null : "it was not wanted";
    } finally {
      buffer.forget();
    }
  }

  private void read(byte[] bytes, int start, int end, Incoming message) {
    buffer.show(bytes, start, end);
    in.beginMessage();
    in.readFor(link.owner.loader(), link.filter);
    boolean done = false;
    message.reading = this;
    long allocated = isOrdered() ? AllocatedBytes.ofCurrentThread() : 0;
    try {
      message.object = in.readObject();
      if (isOrdered()) {
        ChannelGraph.measure(message.object, end - start, allocated);
      }
      message.reading = null;
      List<Object> references = in.endMessage();
      done = true;
      if (!references.isEmpty()) {
        message.bringsReferences = true;
        in.register(references);
      }
    } catch (Exception | Error e) { // also what a readObject method has thrown
      message.problem = e;
      message.problemBytes =
          isOrdered() ? AllocatedBytes.since(allocated, end - start) : Long.MAX_VALUE;
      message.object = null;
      if (!done) {
        memory.end(); // what was made of it is garbage
        memory.begin();
        buffer.show(bytes, start, end);
        typesLost = in.skipMessage() ? null : GraphFailure.text(e);
      }
    } finally {
      message.reading = null;
      buffer.forget();
    }
  }

  private boolean isOrdered() {
    return number == 0;
  }

  /** How much of the current message has been read, about; for others. */
  int position() {
    return buffer.position;
  }

  /**
   * Asks for fresh types. Where the lane has as many again before they come, it does without the
   * messages until then.
   */
  private void wishForRenewal() {
    if (!renewalAsked) {
      renewalAsked = true;
      link.output.sendRenewal(number);
    } else {
      typesLost = "there was no room for more types";
    }
  }
}

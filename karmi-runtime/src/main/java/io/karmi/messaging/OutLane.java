package io.karmi.messaging;

import io.karmi.guard.Ledger;
import io.karmi.marshal.CallHeader;
import io.karmi.marshal.CallOutput;
import io.karmi.marshal.ObjectMemory;
import io.karmi.marshal.RemoteTranslation;
import io.karmi.messaging.channel.ChannelGraph;
import io.karmi.messaging.frame.ArrayPool;
import io.karmi.messaging.frame.MessageFrame;
import io.karmi.technology.Pipe;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One sequence of messages to a node, with the types that it has described so far.
 *
 * <p>Threads marshal in different lanes at a time. Messages of one lane arrive in the order in
 * which they were marshalled. What a message refers to is kept alive until the receiver has
 * processed it.
 *
 * <p>Belongs to the thread that holds {@link #lock}.
 */
final class OutLane {
  private static final int FIRST_BYTES = 512;
  private static final byte[] NO_BYTES = {};
  private static final long[] NO_PINS = {};

  final ReentrantLock lock = new ReentrantLock();
  final int number;
  final OutputBuffer buffer = new OutputBuffer(0);

  private final Pipe pipe;
  private final RemoteTranslation translation;
  private final ArrayPool arrays;

  /** Of the link; holds what is pinned. */
  private final Ledger.Account tables;

  /** Null until the first message: most links use one or two of their lanes. */
  private @Nullable CallOutput out;

  /** The length of the last message, if it was large; else 0. */
  private int lastBytes;

  /**
   * Triples of a position in the ring, a mark, and bytes: what was pinned until then goes with it,
   * and this much was counted for it.
   */
  private long[] pins = NO_PINS;

  private int pinCount;
  private long pinned;

  /** What the current message refers to was counted with so many bytes. */
  private long countedBytes;

  /** Whether the other end has asked for fresh types. */
  private volatile boolean renewalWanted;

  /** Whether the message to come, or the current one, begins with fresh types. */
  private boolean fresh;

  /** Whether the current message has a header. */
  private boolean headed;

  OutLane(
      int number,
      Pipe pipe,
      RemoteTranslation translation,
      ArrayPool arrays,
      Ledger.Account tables) {
    this.number = number;
    this.pipe = pipe;
    this.translation = translation;
    this.arrays = arrays;
    this.tables = tables;
  }

  /** The lanes of a link. */
  static OutLane[] lanes(
      int count,
      Pipe pipe,
      RemoteTranslation translation,
      ArrayPool arrays,
      Ledger.Account tables) {
    OutLane[] lanes = new OutLane[count];
    for (int i = 0; i < count; i++) {
      lanes[i] = new OutLane(i, pipe, translation, arrays, tables);
    }
    return lanes;
  }

  /** The memory that an answer takes while it waits, in bytes, about. */
  long memoryOf(@Nullable Object answer) {
    return new ObjectMemory(translation, pipe.remote(), () -> hostOf(pipe), pipe.identity())
        .of(answer, pipe.format());
  }

  /** The host that a pipe of another node comes from, with the network. */
  static String hostOf(Pipe pipe) {
    return pipe.technology() + ' ' + pipe.peerName();
  }

  private CallOutput out() {
    CallOutput made = out;
    if (made == null) {
      made = new CallOutput(buffer, pipe.format(), translation, pipe.remote());
      made.tellHost(() -> hostOf(pipe));
      made.tellIdentity(pipe.identity());
      out = made;
    }
    return made;
  }

  /**
   * Marshals a message into {@link #buffer}, behind room for the header of a frame.
   *
   * @param correlation the number of a request, for kinds that have one
   * @param header what is sent along if the other end knows of headers; null for nothing
   * @throws IOException if the object cannot be marshalled; then nothing has happened
   */
  void marshal(
      @Nullable Object message, int kind, long correlation, @Nullable Map<String, String> header)
      throws IOException {
    SharedMessage shared = message instanceof SharedMessage ? (SharedMessage) message : null;
    boolean alone = shared != null && shared.standsAlone(pipe.format());
    if (renewalWanted || alone) {
      renewalWanted = false;
      out().startTypesAfresh();
      fresh = true;
    }
    if (lastBytes > 0) {
      buffer.bytes = arrays.take(lastBytes);
    } else if (buffer.bytes.length == 0) {
      buffer.bytes = new byte[FIRST_BYTES];
    }
    buffer.position = 0;
    buffer.reserve(MessageFrame.HEADER_BYTES + Long.BYTES);
    buffer.position = MessageFrame.HEADER_BYTES;
    if (kind != MessageFrame.MESSAGE) {
      MessageFrame.putLong(buffer.bytes, buffer.position, correlation);
      buffer.position += Long.BYTES;
    }
    headed = header != null && !header.isEmpty() && pipe.takesHeaders();
    boolean done = false;
    try {
      if (headed && header != null) {
        CallHeader.write(header, buffer);
      }
      if (shared != null) {
        if (shared.write(out(), pipe.format(), alone)) {
          renewalWanted = true; // this lane does not know its types
        }
      } else {
        int start = buffer.position;
        out().writeObject(message);
        ChannelGraph.measure(message, buffer.position - start);
      }
      countPinned(kind);
      done = true;
    } finally {
      if (!done) {
        discard();
      }
    }
  }

  /**
   * Counts what the message refers to, until the receiver has processed it.
   *
   * @throws IOException if it is an answer, and there is no room
   */
  private void countPinned(int kind) throws IOException {
    long bytes = out().pinnedBytes(pinned);
    if (bytes > 0 && !tables.hold(bytes)) {
      if (kind >= MessageFrame.ANSWER) {
        throw new IOException(
            "no room for what the answer refers to until it is processed: of what peers have"
                + " described and not acknowledged "
                + tables);
      }
      tables.keep(bytes); // the program has it already
    }
    countedBytes = bytes;
  }

  /** Forgets a message that was marshalled and of which nothing was sent. */
  void discard() throws IOException {
    tables.hold(-countedBytes);
    countedBytes = 0;
    out().discardMessage();
    shrink();
  }

  /** The message was handed to the network or put into the ring, where it ends at this position. */
  void sent(long end) throws IOException {
    fresh = false;
    out().endMessage();
    long mark = out().pinMark();
    if (mark != pinned) {
      pinned = mark;
      if (pinCount == pins.length) {
        pins = Arrays.copyOf(pins, Math.max(3 * 4, 2 * pins.length));
      }
      pins[pinCount++] = end;
      pins[pinCount++] = mark;
      pins[pinCount++] = countedBytes;
      countedBytes = 0;
    }
    shrink();
  }

  /** The link was lost before the message was committed whole: nothing is kept of it. */
  void lost() {
    CallOutput made = out;
    if (made != null) {
      made.loseMessage();
      out = null;
    }
    pinCount = 0;
    buffer.bytes = NO_BYTES;
  }

  /** The next message of a lane is often as long as the last one, so it begins with as much. */
  private void shrink() {
    lastBytes = 0;
    if (buffer.bytes.length >= ArrayPool.MINIMUM_BYTES) {
      if (buffer.position >= ArrayPool.MINIMUM_BYTES / 2) {
        lastBytes = Math.min(buffer.bytes.length, ArrayPool.LARGEST_BYTES);
      }
      arrays.giveBack(buffer.bytes);
      buffer.bytes = NO_BYTES;
    }
  }

  /** Gives back what is held for messages to come. */
  void rest() {
    lastBytes = 0;
    buffer.bytes = NO_BYTES;
    if (pinCount == 0) {
      pins = NO_PINS;
    }
  }

  /** Lets go of what messages refer to that the receiver has processed. */
  void unpin(long processed) {
    int done = 0;
    long counted = 0;
    while (done < pinCount && pins[done] <= processed) {
      counted += pins[done + 2];
      done += 3;
    }
    if (done > 0) {
      out().unpin(pins[done - 2]);
      tables.hold(-counted);
      System.arraycopy(pins, done, pins, 0, pinCount - done);
      pinCount -= done;
    }
  }

  boolean hasPins() {
    return pinCount > 0;
  }

  /** Begins the next message with fresh types; called by any thread. */
  void renew() {
    renewalWanted = true;
  }

  /** Moves the end of the message on, for a header in front; returns where it begins then. */
  int moveForHeader(int from, int lengthBytes) throws IOException {
    buffer.position = from + lengthBytes;
    buffer.reserve(MessageFrame.HEADER_BYTES);
    int to = from + MessageFrame.HEADER_BYTES;
    System.arraycopy(buffer.bytes, from, buffer.bytes, to, lengthBytes);
    return to;
  }

  /** Puts the header of a frame in front of a part of the buffer, and zeros behind it. */
  int frame(int from, int bodyBytes, int kind) {
    int at = from - MessageFrame.HEADER_BYTES;
    int length = MessageFrame.lengthOf(bodyBytes);
    if (at + length > buffer.bytes.length) {
      buffer.bytes = Arrays.copyOf(buffer.bytes, at + length);
    }
    int flags = (fresh ? MessageFrame.FRESH : 0) | (headed ? MessageFrame.HEADER : 0);
    MessageFrame.putHeader(buffer.bytes, at, bodyBytes, number, kind | flags);
    for (int i = from + bodyBytes; i < at + length; i++) {
      buffer.bytes[i] = 0;
    }
    return length;
  }
}

package io.karmi.messaging.frame;

import java.io.IOException;
import java.io.StreamCorruptedException;
import org.jspecify.annotations.Nullable;

/**
 * The frames in the bytes that a link reads: each is given to its lane, those of one lane that
 * follow each other at a time, or to the link itself. A part of a large message is read straight to
 * those before it, if its lane has no others that wait.
 *
 * <p>Belongs to the thread that reads. It reads {@link #makeRoom} bytes at most into {@link #bytes}
 * from {@link #end} on, and says by {@link #come} how many have come.
 *
 * @param <L> lanes
 */
public final class FrameFinder<L extends FrameFinder.Lane> {
  /** A lane, as the reading thread sees it. */
  public interface Lane {
    /**
     * Adds frames that follow each other.
     *
     * @return whether the lane was free, so that it is to be given to a thread
     */
    boolean add(Chunk chunk, int offset, int end);

    /** Begins a part; null if frames wait, else what lies before it, until {@link #endPart}. */
    @Nullable MessageParts beginPart();

    /** The part has come. */
    void endPart(int frameBytes);
  }

  /** The link, as frames are given to it. */
  public interface Side<L> {
    /** The lane with this number. */
    L inLane(int number);

    /**
     * Takes a frame of the link itself.
     *
     * @param at where its body begins
     */
    void control(int kind, int lane, byte[] bytes, int at, int bodyBytes) throws IOException;

    /** There is no memory for a part: the link ends. */
    void drop(Throwable because);
  }

  private final Side<L> link;
  private final ReceiveWindow window;
  private final ReadBuffer buffer;

  /** Lanes that the frames that have come at a time have made ready. */
  private final @Nullable Lane[] ready = new Lane[MessageFrame.MAXIMUM_LANES];

  private int readyCount;

  /** The number of data frames of one read, and the last one's request if it is an answer. */
  private int dataFrames;

  private long answer;

  /** The part of a message that is read straight to those before it. */
  private final PartRead part = new PartRead();

  /** The lane of that. */
  private @Nullable L partLane;

  /** Room that was made last. */
  private int room;

  /** Start of the successive frames of one lane that were not given to it yet. */
  private int runStart;

  private @Nullable L runLane;

  /** Frames of a link, which holds the window. */
  public FrameFinder(Side<L> link, ReceiveWindow window, ArrayPool arrays) {
    this.link = link;
    this.window = window;
    buffer = new ReadBuffer((int) window.bytes(), arrays);
  }

  /** Forgets which frames have come, and makes room for bytes to come; returns how many. */
  public int makeRoom() {
    forgetFrames();
    room = partLane == null ? buffer.makeRoom() : part.room();
    return room;
  }

  /** The array into which bytes are to be read. */
  public byte[] bytes() {
    return partLane == null ? buffer.bytes() : part.bytes();
  }

  /** Index of the first of them. */
  public int end() {
    return partLane == null ? buffer.end() : part.end();
  }

  /** Bytes have come; gives the frames that are whole to their lanes. */
  public void come(int count) throws IOException {
    L lane = partLane;
    if (lane == null) {
      buffer.stored(count, room);
      takeFrames();
    } else if (part.come(count)) {
      partLane = null;
      endPart(lane);
    }
  }

  /** Bytes have come that were read elsewhere, while no part is read. */
  public void put(byte[] from, int count) throws IOException {
    forgetFrames();
    buffer.put(from, 0, count);
    takeFrames();
  }

  private void takeFrames() throws IOException {
    while (buffer.length() >= MessageFrame.HEADER_BYTES) {
      int at = buffer.start();
      int body = MessageFrame.bodyBytes(buffer.bytes(), at);
      int rest = MessageFrame.rest(buffer.bytes(), at);
      int length = check(body, rest);
      if (buffer.length() < length) {
        endRun();
        if (!MessageFrame.goesOn(rest) || !beginPart(body, rest)) {
          buffer.makeRoomFor(length);
        }
        break;
      }
      int kind = MessageFrame.kind(rest);
      if (kind >= MessageFrame.CREDIT) {
        endRun();
        buffer.take(length);
        int from = at + MessageFrame.HEADER_BYTES;
        link.control(kind, MessageFrame.lane(rest), buffer.bytes(), from, body);
        continue;
      }
      L lane = link.inLane(MessageFrame.lane(rest));
      if (lane != runLane) {
        endRun();
        runLane = lane;
        runStart = at;
      }
      dataFrames++;
      answer = answerIn(at, body, rest);
      buffer.take(length);
    }
    endRun();
  }

  /** Gives frames that follow each other to their lane, at a time. */
  private void endRun() throws StreamCorruptedException {
    L lane = runLane;
    if (lane == null) {
      return;
    }
    runLane = null;
    int runEnd = buffer.start();
    window.come(runEnd - runStart);
    if (add(lane, runStart, runEnd)) {
      ready[readyCount++] = lane;
    }
  }

  private boolean add(L lane, int from, int to) {
    return buffer.isScarce()
        ? lane.add(new Chunk(buffer.bytes(), from, to - from), 0, to - from)
        : lane.add(buffer.hold(), from, to);
  }

  /** Begins a part whose frame has come in part; false if its lane has frames that wait. */
  private boolean beginPart(int body, int rest) throws IOException {
    L lane = link.inLane(MessageFrame.lane(rest));
    MessageParts before = lane.beginPart();
    if (before == null) {
      return false;
    }
    try {
      part.begin(before, body);
    } catch (IOException e) {
      link.drop(e);
      throw e;
    }
    partLane = lane;
    buffer.take(MessageFrame.HEADER_BYTES);
    int begun = buffer.length();
    part.put(buffer.bytes(), buffer.start(), begun);
    buffer.take(begun);
    buffer.shrink();
    return true;
  }

  /** A part has come, and perhaps the begin of the next frame's header. */
  private void endPart(L lane) throws IOException {
    int behind = part.behind();
    if (behind > 0) {
      buffer.put(part.bytes(), part.end() - behind, behind);
    }
    window.come(part.frameBytes());
    dataFrames++;
    part.finish();
    lane.endPart(part.frameBytes());
    takeFrames();
  }

  /** Nothing has come. */
  public void forgetFrames() {
    readyCount = 0;
    dataFrames = 0;
  }

  /** The number of the request that a frame answers; 0 if it does not. */
  private long answerIn(int at, int body, int rest) {
    int kind = MessageFrame.kind(rest);
    return kind >= MessageFrame.ANSWER && !MessageFrame.goesOn(rest) && body >= Long.BYTES
        ? MessageFrame.getLong(buffer.bytes(), at + MessageFrame.HEADER_BYTES)
        : 0;
  }

  /** The length of the frame, padding included. */
  private static int check(int body, int rest) throws StreamCorruptedException {
    if (!MessageFrame.isValid(body, rest)) {
      throw new StreamCorruptedException(
          "a frame of " + body + " bytes with lane and kind " + Integer.toHexString(rest));
    }
    return MessageFrame.lengthOf(body);
  }

  /** The number of lanes that the last bytes have made ready. */
  public int readyCount() {
    return readyCount;
  }

  /** One of these lanes. */
  @SuppressWarnings("unchecked") // only such are stored
  public L ready(int index) {
    return (L) ready[index];
  }

  /** Whether a message has come with the last bytes, or a part of one. */
  public boolean hasData() {
    return dataFrames > 0;
  }

  /**
   * The number of the request whose answer is all that has come, so that this thread may take it
   * out of its lane; 0 if other data has come.
   */
  public long oneAnswer() {
    return dataFrames == 1 && readyCount == 1 ? answer : 0;
  }

  /** Whether a part is read. */
  public boolean readsPart() {
    return partLane != null;
  }

  /** Nothing has come for a while. */
  public void shrink() {
    buffer.shrink();
  }

  /** Gives memory back until something comes. */
  public void rest() {
    buffer.rest();
  }

  /** Bytes of the array that is read into. */
  public int heldBytes() {
    return buffer.heldBytes();
  }

  /** Chunks that are in use. */
  public int chunks() {
    return buffer.chunks();
  }
}

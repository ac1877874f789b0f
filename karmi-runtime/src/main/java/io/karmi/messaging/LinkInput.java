package io.karmi.messaging;

import io.karmi.technology.RuntimeThreads;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of a link: reads bytes, finds the frames in them, and gives each to its lane.
 *
 * <p>One thread at a time reads. Where a single message has come and no handler is busy, that
 * thread handles it itself, so that no other has to be woken; if this takes long, {@link #isStuck},
 * another thread goes on reading, and the link leaves all to the handlers for a while.
 *
 * <p>The window holds here, too: a peer that sends more than it was granted has broken the rules.
 */
final class LinkInput {
  /** A message that the reading thread handles itself may take this long. */
  private static final long STUCK_NANOS = 1_000_000;

  /** For this long after one that took longer, handlers take all messages. */
  private static final long SLOW_NANOS = 1_000_000_000L;

  private final Link link;
  private final long window;
  private final ChunkPool pool;
  private Chunk chunk;
  private int start;
  private int end;

  /** Bytes of data frames that have come. */
  private volatile long received;

  /** Bytes of data frames that were processed. */
  private final AtomicLong processed = new AtomicLong();

  /** What the other end has been told of {@link #processed}, at least. */
  private final AtomicLong granted = new AtomicLong();

  private volatile @Nullable Thread reader;

  /** When the reading thread began to handle a message itself; 0 while it does not. */
  private volatile long handlingSinceNanos;

  private volatile long slowUntilNanos = System.nanoTime();
  private volatile long usedAtNanos = System.nanoTime();

  /** Of the thread that reads; another one that still handles a message keeps the one it has. */
  private Incoming own = new Incoming();

  LinkInput(Link link, int window) {
    this.link = link;
    this.window = window;
    pool = new ChunkPool(window);
    chunk = pool.take();
  }

  /** Begins to read, in a thread of its own. */
  synchronized void start() {
    Thread made =
        RuntimeThreads.start("KaRMI Messages from " + link.pipe().peerName(), this::run, true);
    reader = made;
  }

  private synchronized boolean isReader() {
    return reader == Thread.currentThread();
  }

  private void run() {
    try {
      while (isReader() && !link.isLost()) {
        readOnce();
      }
    } catch (IOException | RuntimeException | Error e) {
      link.end(e);
    }
  }

  private void readOnce() throws IOException {
    if (start == end && chunk.isFree()) {
      start = 0;
      end = 0;
    } else if (end == chunk.bytes.length) {
      continueInAnother();
    }
    int count = link.pipe().receive(chunk.bytes, end, chunk.bytes.length - end);
    if (count < 0) {
      throw new EOFException("the other node has closed the connection");
    }
    link.owner().counts().receivedBytes.add(count);
    end += count;
    takeFrames();
  }

  /** What has come of a frame goes on in another chunk, as other frames may still lie in this. */
  private void continueInAnother() {
    Chunk next = pool.take();
    System.arraycopy(chunk.bytes, start, next.bytes, 0, end - start);
    chunk.release();
    chunk = next;
    end -= start;
    start = 0;
  }

  private void takeFrames() throws IOException {
    InLane only = null;
    Handlers handlers = link.owner().handlers();
    while (end - start >= MessageFrame.HEADER_BYTES) {
      int body = MessageFrame.bodyBytes(chunk.bytes, start);
      int rest = MessageFrame.rest(chunk.bytes, start);
      int length = check(body, rest);
      if (end - start < length) {
        makeRoomFor(length);
        break;
      }
      int at = start;
      start += length;
      if (MessageFrame.kind(rest) >= MessageFrame.CREDIT) {
        control(at, rest);
        continue;
      }
      received += length;
      if (received - granted.get() > window) {
        throw new StreamCorruptedException(
            "more than the window of " + window + " bytes that this node has granted");
      }
      InLane lane = link.inLane(MessageFrame.lane(rest));
      if (add(lane, at, length)) {
        if (only != null) {
          handlers.add(only);
        }
        only = lane;
      }
    }
    if (only != null) {
      handle(only, handlers);
    }
  }

  private boolean add(InLane lane, int at, int length) {
    if (pool.isScarce()) {
      return lane.add(new Chunk(chunk.bytes, at, length), 0);
    }
    chunk.hold();
    return lane.add(chunk, at);
  }

  /** Buffers that are in use. */
  int buffers() {
    return pool.used();
  }

  /** A frame that has come in part fits behind {@link #start}. */
  private void makeRoomFor(int length) {
    if (start + length > chunk.bytes.length) {
      continueInAnother();
    }
  }

  /** The length of the frame, padding included. */
  private static int check(int body, int rest) throws StreamCorruptedException {
    if (!MessageFrame.isValid(body, rest)) {
      throw new StreamCorruptedException(
          "a frame of " + body + " bytes with lane and kind " + Integer.toHexString(rest));
    }
    return Link.frameBytes(body);
  }

  private void control(int at, int rest) throws IOException {
    switch (MessageFrame.kind(rest)) {
      case MessageFrame.CREDIT:
        link.output().credit(MessageFrame.getLong(chunk.bytes, at + MessageFrame.HEADER_BYTES));
        break;
      case MessageFrame.RENEW:
        link.renew(MessageFrame.lane(rest));
        break;
      default:
        link.left();
    }
  }

  private void handle(InLane lane, Handlers handlers) throws IOException {
    long now = System.nanoTime();
    usedAtNanos = now;
    if (now - slowUntilNanos < 0 || !lane.hasOneFrame() || !handlers.beginInReader()) {
      handlers.add(lane);
      return;
    }
    handlingSinceNanos = now | 1;
    try {
      handlers.handle(lane, own);
    } finally {
      endHandling();
      handlers.endInReader();
    }
  }

  /** If another thread reads on by now, this is its business. */
  private synchronized void endHandling() {
    if (reader == Thread.currentThread()) {
      handlingSinceNanos = 0;
    }
  }

  /** Whether the reading thread has been handling a message for long; then nothing is read. */
  boolean isStuck(long now) {
    long since = handlingSinceNanos;
    return since != 0 && now - since > STUCK_NANOS;
  }

  /** Has another thread read on; the one that handles a message ends with it. */
  synchronized void relieve() {
    if (handlingSinceNanos != 0 && reader != null) {
      slowUntilNanos = System.nanoTime() + SLOW_NANOS;
      handlingSinceNanos = 0;
      own = new Incoming();
      start();
    }
  }

  /**
   * Bytes have been processed.
   *
   * @param soon whether to tell the other end in any case
   * @return whether to tell it now
   */
  boolean processed(int bytes, boolean soon) {
    long done = processed.addAndGet(bytes);
    long told = granted.get();
    return (soon || done - told >= window / 4 || done == received && done - told >= window / 16)
        && granted.compareAndSet(told, done);
  }

  long processedBytes() {
    return granted.get();
  }

  long usedAtNanos() {
    return usedAtNanos;
  }

  /** Whether all that has come is processed. */
  boolean isQuiet() {
    return processed.get() == received && handlingSinceNanos == 0;
  }
}

package io.karmi.messaging.frame;

import java.io.StreamCorruptedException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bound for messages that cross a link in parts: the receiver keeps what has come of them.
 *
 * <p>A sender has messages of {@value #SHARED_BYTES} bytes under way, all together, and beside them
 * one that is larger than that. So a receiver keeps this, one message of the largest size, and some
 * more as a last part may wait for its turn, in however many lanes they come, and ends a link on
 * which more does. The memory for it is charged to the link. Small messages, which come in one
 * piece, are not concerned.
 *
 * <p>One object serves both directions of a link. Thread-safe.
 */
public final class UnfinishedMessages {
  /** Bytes of messages, none of them larger, that may be unfinished in one direction at a time. */
  public static final int SHARED_BYTES = 16 << 20;

  /** Upper bound of last parts that wait for a thread while the next messages come, in bytes. */
  private static final int LATE_BYTES = 4 << 20;

  private static final int UNIT_BYTES = MessageFrame.PART_BYTES;
  private static final int UNITS = SHARED_BYTES / UNIT_BYTES;

  /** Permits that wake all waiting senders. */
  private static final int ALL = 1 << 20;

  private final long mostKept;
  private final Semaphore shared = new Semaphore(UNITS, true);
  private final Semaphore alone = new Semaphore(1, true);
  private final AtomicLong kept = new AtomicLong();

  /**
   * For a link on which nothing is under way.
   *
   * @param largestMessageBytes that this end receives
   */
  public UnfinishedMessages(long largestMessageBytes) {
    mostKept = largestMessageBytes + SHARED_BYTES + LATE_BYTES;
  }

  /**
   * A message that goes in parts is about to be sent.
   *
   * @return false if others have to end before, and the caller does not wait
   */
  public boolean begin(int bytes, boolean mayWait) {
    Semaphore which = bytes > SHARED_BYTES ? alone : shared;
    int units = units(bytes);
    if (!mayWait) {
      return which.tryAcquire(units);
    }
    which.acquireUninterruptibly(units);
    return true;
  }

  /** Such a message has been sent whole, or never will be. */
  public void end(int bytes) {
    (bytes > SHARED_BYTES ? alone : shared).release(units(bytes));
  }

  private static int units(int bytes) {
    return bytes > SHARED_BYTES ? 1 : (bytes + UNIT_BYTES - 1) / UNIT_BYTES;
  }

  /** The link has ended: those that wait are to find that out. */
  public void close() {
    shared.release(ALL);
    alone.release(ALL);
  }

  /**
   * A part has come that is to be kept.
   *
   * @throws StreamCorruptedException if the sender has more messages under way than it may
   */
  public void keep(int bytes) throws StreamCorruptedException {
    long now = kept.addAndGet(bytes);
    if (now > mostKept) {
      throw new StreamCorruptedException(
          now
              + " bytes of unfinished messages, where "
              + SHARED_BYTES
              + " and one message may be under way (karmi.maxMessageBytes)");
    }
  }

  /** Parts that were kept are not any more. */
  public void letGo(int bytes) {
    kept.addAndGet(-bytes);
  }
}

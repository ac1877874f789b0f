package io.karmi.messaging.frame;

import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The window of a link's sending half: what may be under way and not be processed, and the threads
 * that wait for room in it. Positions are those of the outgoing ring. Thread-safe.
 */
public final class SendWindow {
  /**
   * Bytes beyond the window that are taken: what frames and types add to one message that is as
   * long as the window.
   */
  public static final int FRAMING_BYTES = 8 * 1024;

  /** How many times longer than the shortest window the longest one is. */
  private static final int LONGEST = 8;

  /** Length of the shortest window, in bytes. */
  private final long least;

  private volatile long bytes;

  /** Bytes that the other end has processed. */
  private final AtomicLong credited = new AtomicLong();

  /** Bytes that the network has been given, those included that it is being given. */
  private volatile long handedOver;

  /** Threads that wait for room; changed under the lock of {@link #room}. */
  private volatile int waiting;

  private final Object room = new Object();

  /* What was seen when it was last looked whether the other end goes on. */
  private long seenCredited;
  private long waitingSinceNanos = System.nanoTime();

  /** The window of a link, of this length in bytes, in which nothing is under way. */
  public SendWindow(long least) {
    this.least = least;
    this.bytes = least;
  }

  /** The longest window of a link, in bytes. */
  public static long longest(long least) {
    return LONGEST * least;
  }

  /**
   * With how many bytes a receiver tells that all was processed; less may wait.
   *
   * @param window its length
   */
  public static long leastCredit(long window) {
    return window / 16;
  }

  /** How many bytes may be under way. */
  public long bytes() {
    return bytes;
  }

  /** Bytes that the other end has processed, as far as it has said. */
  public long credited() {
    return credited.get();
  }

  /** No reservation may end behind this position. */
  public long limit() {
    return credited.get() + bytes;
  }

  /** The network is given the bytes up to a position. */
  public void handOver(long end) {
    handedOver = end;
  }

  /** Whether the other end has so much to process that a credit will come when it has. */
  public boolean isReceiverBusy() {
    return handedOver - credited.get() >= leastCredit(bytes);
  }

  /** The other end has processed bytes: their count since the link was opened. */
  public void credit(long processed) throws StreamCorruptedException {
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
  }

  /** The other end takes more bytes that it has not processed. */
  public synchronized void grant(long more) throws StreamCorruptedException {
    if (more <= 0 || more > longest(least) - bytes) {
      throw new StreamCorruptedException(
          "a window of " + bytes + " bytes, and " + more + " more; at most " + longest(least));
    }
    bytes += more;
    wakeWaiting();
  }

  /** Whether it is longer than the shortest one. */
  public boolean isLong() {
    return bytes > least;
  }

  /**
   * Makes the window the shortest one again, if no more than that is under way. No thread may
   * reserve meanwhile.
   *
   * @param reserved up to where bytes are reserved
   * @return by how many bytes it has become shorter
   */
  public synchronized long giveBack(long reserved) {
    long less = reserved - credited.get() <= least ? bytes - least : 0;
    bytes -= less;
    return less;
  }

  /** Whether threads wait for room. */
  public boolean hasWaiting() {
    return waiting > 0;
  }

  /** What a thread waits for. */
  public interface Attempt {
    /** A position; -1 to wait for a credit. */
    long get() throws IOException;
  }

  /** Waits until an attempt succeeds; it is made again after each credit. */
  public long await(Attempt attempt) throws IOException {
    boolean interrupted = false;
    try {
      synchronized (room) {
        waiting++;
        try {
          for (long found = attempt.get(); ; found = attempt.get()) {
            if (found >= 0) {
              return found;
            }
            try {
              room.wait();
            } catch (InterruptedException e) {
              interrupted = true;
            }
          }
        } finally {
          waiting--;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Has waiting threads make another attempt. */
  public void wakeWaiting() {
    if (waiting > 0) {
      synchronized (room) {
        room.notifyAll();
      }
    }
  }

  /**
   * Whether the other end has processed less than the least credit for so long, while threads wait:
   * a byte now and then is not enough. To be asked now and then, by one thread.
   */
  public boolean isStuckFor(long now, long nanos) {
    long processed = credited.get();
    if (waiting == 0 || processed - seenCredited >= leastCredit(least)) {
      seenCredited = processed;
      waitingSinceNanos = now;
    }
    return now - waitingSinceNanos > nanos;
  }
}

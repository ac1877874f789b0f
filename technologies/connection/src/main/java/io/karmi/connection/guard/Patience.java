package io.karmi.connection.guard;

import io.karmi.technology.ConnectionSettings;
import org.jspecify.annotations.Nullable;

/**
 * Timer of the {@link Watchdog} for the other end of a connection: for how long it has sent nothing
 * that is due, or taken nothing.
 *
 * <p>It reads counters of the connection's thread now and then. Time counts only while that thread
 * was waiting at both looks, so that a peer is not blamed for what a program does while it reads or
 * writes.
 */
public final class Patience {
  /** Bytes of a message for which it may take {@code karmi.messageTimeout} once more. */
  private static final long PIECE_BYTES = 64 * 1024;

  /**
   * Nanoseconds in which the other end of a line sends something, whatever {@code
   * karmi.readTimeout}.
   */
  private static final long LINE_NANOS = 300_000_000_000L;

  /** Progress of a connection that waits for its first call. */
  private static final int FIRST_READ = 1;

  private final Reading in;
  private final Writing out;

  private final long madeAtNanos = System.nanoTime();

  /* Written by the watchdog; others read some of it to find who may give way. */
  private volatile long lookedAtNanos = madeAtNanos;

  private volatile int seenReads;
  private volatile long readingSinceNanos;

  private volatile int seenPhase;
  private volatile long bytesBefore;
  private volatile long waitedNanos;

  /** Where the thread was in its input, and since when, while it did not read the channel. */
  private int seenPosition;

  private volatile long stuckSinceNanos;

  private volatile int seenWrites;
  private volatile long writingSinceNanos;

  /** Made with its connection. */
  public Patience(Reading in, Writing out) {
    this.in = in;
    this.out = out;
  }

  /**
   * Checks the counters once.
   *
   * @param mayBeSilent whether the other end waits for a reply, and need not send
   * @param line whether the connection is a line of the other end
   * @return the setting that it has exceeded, or null
   */
  public @Nullable String exceeded(
      long now, boolean mayBeSilent, boolean line, ConnectionSettings settings) {
    look(now);
    int reads = in.progress();
    int phase = in.phase();
    if ((reads & 1) == 0) {
      return isWritingFor(now, settings.writeTimeoutMillis) ? "karmi.writeTimeout" : null;
    }
    if ((phase & 1) != 0) {
      return isMessageLate(now, settings) ? "karmi.messageTimeout" : null;
    }
    long silence = nanos(settings.readTimeoutMillis);
    long allowed = line ? Math.max(silence, LINE_NANOS) : silence;
    return silence > 0 && !mayBeSilent && now - readingSinceNanos > allowed
        ? "karmi.readTimeout"
        : null;
  }

  /** Notes where the thread is. Called by the watchdog alone, in each round and between two. */
  public void look(long now) {
    long sinceLast = now - lookedAtNanos;
    lookedAtNanos = now;
    int reads = in.progress();
    int phase = in.phase();
    if (reads != seenReads) {
      seenReads = reads;
      readingSinceNanos = now;
      stuckSinceNanos = 0;
    }
    if (phase != seenPhase) {
      seenPhase = phase;
      bytesBefore = in.receivedBytes();
      waitedNanos = -sinceLast; // it has waited at this look only
    }
    noteWork(now, reads, phase);
    if ((reads & 1) == 0) {
      noteWriting(now);
    } else if ((phase & 1) != 0) {
      waitedNanos += sinceLast;
    }
  }

  /**
   * For how long the other end has been waited for, as far as the looks tell, in nanoseconds: for
   * the next message, for a piece of 64 KB of the present one, or to take a slice. It is 0 while
   * the thread does something else, and if it has got on since the last look.
   */
  public long waitedNanos(long now) {
    int reads = in.progress();
    int phase = in.phase();
    if ((reads & 1) == 0) {
      int writes = out.progress();
      return writes == seenWrites && (writes & 1) != 0 ? now - writingSinceNanos : 0;
    }
    if ((phase & 1) != 0 && phase == seenPhase) {
      return (waitedNanos + now - lookedAtNanos) / (1 + pieces());
    }
    if (reads == FIRST_READ) {
      return now - madeAtNanos;
    }
    return reads == seenReads ? now - readingSinceNanos : 0;
  }

  /** Whether the thread waits for bytes of the other end, not for it to take some. */
  public boolean isReading() {
    return (in.progress() & 1) != 0;
  }

  /** The pieces that have come of the present message. */
  private long pieces() {
    return (in.receivedBytes() - bytesBefore) / PIECE_BYTES;
  }

  /** Notes whether the thread works within a message, and takes no further bytes of it. */
  private void noteWork(long now, int reads, int phase) {
    int position = in.position();
    boolean works = (reads & 1) == 0 && (phase & 1) != 0;
    if (!works || position != seenPosition) {
      stuckSinceNanos = 0;
      seenPosition = position;
    } else if (stuckSinceNanos == 0) {
      stuckSinceNanos = now | 1;
    }
  }

  /** For how long the thread has worked within a message without taking bytes of it, or 0. */
  public long stuckNanos(long now) {
    long since = stuckSinceNanos;
    return since == 0 || (in.progress() & 1) != 0 ? 0 : now - since;
  }

  private boolean isMessageLate(long now, ConnectionSettings settings) {
    long timeout = nanos(settings.messageTimeoutMillis);
    if (timeout == 0) {
      return false;
    }
    return now - readingSinceNanos > timeout || waitedNanos / (1 + pieces()) > timeout;
  }

  /** Whether one slice has been under way for as long as the timeout, where 0 is never. */
  public boolean isWritingFor(long now, long timeoutMillis) {
    return noteWriting(now) && timeoutMillis > 0 && now - writingSinceNanos > nanos(timeoutMillis);
  }

  /** Whether the slice is under way that was at the last look. */
  private boolean noteWriting(long now) {
    int writes = out.progress();
    if (writes != seenWrites || (writes & 1) == 0) {
      seenWrites = writes;
      writingSinceNanos = now;
      return false;
    }
    return true;
  }

  private static long nanos(long millis) {
    return millis * 1_000_000;
  }
}

package io.karmi.messaging.frame;

import io.karmi.guard.Ledger;
import java.io.StreamCorruptedException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The window of a link's receiving half: what has come, what of it was processed, and what the
 * other end was told of that.
 *
 * <p>While large messages come the window doubles with each window of their parts, as long as its
 * account gets the bytes. The other end gives them back when it sends no more of these. Bytes are
 * those of data frames, counted since the link was opened. Thread-safe.
 */
public final class ReceiveWindow {
  private final long least;
  private final long longest;
  private final Ledger.Account account;

  private volatile long bytes;

  /** Bytes of parts since the window has last changed; guarded by this. */
  private long bytesOfParts;

  /** Bytes that have come. */
  private volatile long received;

  private final AtomicLong processed = new AtomicLong();

  /** Lower bound of {@link #processed} that the other end has been told. */
  private final AtomicLong told = new AtomicLong();

  /**
   * The shortest window, in which nothing has come.
   *
   * @param least its length
   * @param mayGrow whether the other end takes a longer one
   * @param account that holds what is beyond that
   */
  public ReceiveWindow(long least, boolean mayGrow, Ledger.Account account) {
    this.least = least;
    this.longest = mayGrow ? SendWindow.longest(least) : least;
    this.account = account;
    this.bytes = least;
  }

  /** The window: bytes that may have come and not be told as processed. */
  public long bytes() {
    return bytes;
  }

  /**
   * Bytes have come; called by the thread that reads.
   *
   * @throws StreamCorruptedException if these are more than the other end was granted
   */
  public void come(int count) throws StreamCorruptedException {
    long all = received + count;
    check(all, bytes);
    received = all;
  }

  private void check(long all, long window) throws StreamCorruptedException {
    if (all - told.get() > window + SendWindow.FRAMING_BYTES) {
      throw new StreamCorruptedException(
          "more than the window of " + window + " bytes that this node has granted");
    }
  }

  /**
   * Bytes have been processed.
   *
   * @param soon whether to tell the other end in any case
   * @param goesOn whether they are a part of a message of which the next one comes
   * @param leaving whether to tell it when all is processed, however little is new
   * @return whether to tell it now
   */
  public boolean processed(int count, boolean soon, boolean goesOn, boolean leaving) {
    long done = processed.addAndGet(count);
    long before = told.get();
    return (soon
            || done - before >= bytes / 4
            || done == received
                && !goesOn
                && (leaving || done - before >= SendWindow.leastCredit(bytes)))
        && told.compareAndSet(before, done);
  }

  /** Whether bytes have been processed of which the other end has not been told; it is now. */
  public boolean tellAll() {
    long done = processed.get();
    return told.getAndAccumulate(done, Math::max) < done;
  }

  /** What the other end is to be told as processed. */
  public long told() {
    return told.get();
  }

  /** Whether all that has come is processed. */
  public boolean isAllProcessed() {
    return processed.get() == received;
  }

  /**
   * A part of a message has been processed.
   *
   * @return by how many bytes the window has become longer, which the other end is to be told
   */
  public synchronized long grow(int partBytes) {
    bytesOfParts += partBytes;
    long more = Math.min(bytes, longest - bytes);
    if (more == 0 || bytesOfParts < bytes) {
      return 0;
    }
    bytesOfParts = 0;
    if (!account.hold(more)) {
      return 0;
    }
    bytes += more;
    return more;
  }

  /**
   * The other end has made its window shorter.
   *
   * @throws StreamCorruptedException if it was not as much longer, or more is under way
   */
  public synchronized void giveBack(long less) throws StreamCorruptedException {
    if (less <= 0 || less > bytes - least) {
      throw new StreamCorruptedException(
          less + " bytes given back of a window of " + bytes + ", where " + least + " remain");
    }
    check(received, bytes - less);
    bytes -= less;
    bytesOfParts = 0;
    account.hold(-less);
  }
}

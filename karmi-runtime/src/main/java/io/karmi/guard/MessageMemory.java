package io.karmi.guard;

import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Memory that a message takes while it is received: the bytes that its thread has allocated since
 * the first look at it.
 *
 * <p>So everything that is allocated for the message counts, garbage included. A message that is
 * never looked at, as it has come whole and has few objects and no large array, costs nothing. On
 * virtual threads, for which the JVM does not count, a message is taken to hold twice its bytes.
 *
 * <p>There is one for each sequence of messages, such as a connection. It belongs to the thread
 * that reads; any thread may close the account.
 */
public final class MessageMemory {
  /** Messages that hold fewer bytes are not counted. */
  private static final long FREE_BYTES = 1 << 14;

  /** Unit, in bytes, in which the budget is taken. */
  private static final long STEP_BYTES = 1 << 14;

  private final Ledger.Account account;
  private final Supplier<String> sender;

  private boolean begun;

  /** The thread whose allocations are counted, and its count at the first look. */
  private @Nullable Thread thread;

  private long start;

  /** Bytes that the message held at the last look. */
  private long held;

  /** Bytes that the account holds for the message. */
  private long taken;

  /**
   * A count for messages that have not begun.
   *
   * @param account of their connection or link
   * @param sender names who sends them
   */
  public MessageMemory(Ledger.Account account, Supplier<String> sender) {
    this.account = account;
    this.sender = sender;
  }

  /** Whether a message has begun and not ended. */
  public boolean isBegun() {
    return begun;
  }

  /** Begins a message, of which nothing has been read. */
  public void begin() {
    begun = true;
    held = 0;
    thread = null;
  }

  /** Begins a message that has come in parts, in an array of this length in bytes. */
  public void begin(long arrayBytes) {
    begin();
    account.keep(arrayBytes);
    taken = arrayBytes;
    held = arrayBytes;
  }

  /**
   * Called before more of the message is read, or memory is allocated for it.
   *
   * @param comeBytes bytes of it that have come
   * @param nextBytes bytes that are to be allocated for it at once
   * @throws IOException if the budget has not enough left; the message gets nothing more, and what
   *     it has taken is given back
   */
  public void grow(long comeBytes, long nextBytes) throws IOException {
    look(comeBytes);
    long wanted = held + nextBytes;
    if (wanted > FREE_BYTES) {
      take(wanted, comeBytes);
    }
  }

  private void look(long comeBytes) {
    long now = AllocatedBytes.ofCurrentThread();
    if (now == AllocatedBytes.UNKNOWN) {
      held = 2 * comeBytes;
    } else if (thread == Thread.currentThread()) {
      held = now - start;
    } else { // the first look, or another thread goes on with the message
      thread = Thread.currentThread();
      start = now - held;
    }
  }

  private void take(long wanted, long comeBytes) throws IOException {
    if (wanted > taken) {
      long more = (wanted - taken + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
      hold(account, more, sender, comeBytes, held);
      taken += more;
    }
  }

  /**
   * Holds bytes for a message of which more is to come.
   *
   * @param comeBytes how many bytes of it have come
   * @param heldBytes how many bytes it holds already
   * @throws IOException if the account gets no more, or is closed: of a message that has begun to
   *     come nothing more is made then
   */
  public static void hold(
      Ledger.Account account, long more, Supplier<String> sender, long comeBytes, long heldBytes)
      throws IOException {
    if (account.isClosed()) {
      throw new IOException(
          "a message of " + sender.get() + " is read no further: its connection is closed");
    }
    if (!account.hold(more)) {
      throw new IOException(
          "a message of "
              + sender.get()
              + " is refused: after "
              + comeBytes
              + " bytes it takes "
              + heldBytes
              + " bytes of memory and wants "
              + more
              + " more. Of messages that have not come whole "
              + account
              + "; send it again, in smaller parts, or raise that");
    }
  }

  /** Takes off an array of this length in bytes, which the message does not use any more. */
  public void drop(long bytes) {
    start += bytes;
    long less = Math.min(taken, bytes / STEP_BYTES * STEP_BYTES);
    if (less > 0) {
      account.hold(-less);
      taken -= less;
    }
  }

  /**
   * Ends the message, which has been read and is in use.
   *
   * @return bytes that the account holds for it, which the caller gives back
   */
  public long handOver() {
    long kept = taken;
    taken = 0;
    end();
    return kept;
  }

  /** Ends the message, which has been read or is given up. */
  public void end() {
    if (begun) {
      begun = false;
      thread = null;
      giveBack();
    }
  }

  private void giveBack() {
    if (taken > 0) {
      account.hold(-taken);
      taken = 0;
    }
  }
}

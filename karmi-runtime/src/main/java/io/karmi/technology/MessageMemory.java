package io.karmi.technology;

import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Memory that a message takes while it is received: the bytes that its thread has allocated since
 * it began.
 *
 * <p>So everything that is allocated for the message counts, garbage included. On virtual threads,
 * for which the JVM does not count, a message is taken to hold twice its bytes.
 *
 * <p>There is one for each sequence of messages, such as a connection. It belongs to the thread
 * that reads; any thread may {@link #close} it.
 */
public final class MessageMemory {
  /** Messages that hold fewer bytes are not counted. */
  private static final long FREE_BYTES = 1 << 16;

  /** Unit, in bytes, in which the budget is taken. */
  private static final long STEP_BYTES = 1 << 16;

  private final MessageBudget budget;
  private final Supplier<String> sender;

  private boolean begun;

  /** The thread whose allocations are counted, and its count when the message began. */
  private @Nullable Thread thread;

  private long start;

  /** Bytes that the message held at the last look. */
  private long held;

  /** Bytes taken of the budget; guarded by this. */
  private long taken;

  /** Guarded by this. */
  private boolean closed;

  /**
   * A count for messages that have not begun.
   *
   * @param sender names who sends them
   */
  public MessageMemory(MessageBudget budget, Supplier<String> sender) {
    this.budget = budget;
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
    thread = Thread.currentThread();
    start = AllocatedBytes.ofCurrentThread();
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
    long now = AllocatedBytes.ofCurrentThread();
    if (now == AllocatedBytes.UNKNOWN || start == AllocatedBytes.UNKNOWN) {
      held = 2 * comeBytes;
    } else if (thread == Thread.currentThread()) {
      held = now - start;
    } else { // another thread goes on with the message
      thread = Thread.currentThread();
      start = now - held;
    }
    long wanted = held + nextBytes;
    if (wanted > FREE_BYTES) {
      take(wanted, comeBytes);
    }
  }

  private synchronized void take(long wanted, long comeBytes) throws IOException {
    if (wanted > taken && !closed) {
      long more = (wanted - taken + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
      budget.take(more, sender.get(), comeBytes, held);
      taken += more;
    }
  }

  /** Takes off an array of this length in bytes, which the message does not use any more. */
  public void drop(long bytes) {
    start += bytes;
  }

  /** Ends the message, which has been read or is given up. */
  public void end() {
    if (begun) {
      begun = false;
      thread = null;
      giveBack();
    }
  }

  private synchronized void giveBack() {
    if (taken > 0) {
      budget.giveBack(taken);
      taken = 0;
    }
  }

  /**
   * Gives everything back: no message comes any more, which the thread that reads has not noticed
   * yet.
   */
  public synchronized void close() {
    closed = true;
    giveBack();
  }
}

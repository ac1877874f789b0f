package io.karmi.technology;

import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory that one message holds while it comes: what its thread has allocated since it began.
 *
 * <p>So all is counted that a message makes, whatever its bytes say; and what was garbage at once,
 * too. Where the JVM does not count, which is on virtual threads, the message is taken to hold
 * twice its bytes.
 *
 * <p>There is one for each place where messages come one after the other, such as a connection. It
 * belongs to the thread that reads; any thread may {@link #close} it.
 */
public final class MessageMemory {
  /** A message that holds less is not counted. */
  private static final long FREE_BYTES = 1 << 16;

  /** What is taken of the budget at a time. */
  private static final long STEP_BYTES = 1 << 16;

  private final MessageBudget budget;
  private final Supplier<String> sender;

  private boolean begun;

  /** Whose allocations are counted, and from where on. */
  private @Nullable Thread thread;

  private long start;

  /** How much the message has held at the last look. */
  private long held;

  /** Taken of the budget; guarded by this. */
  private long taken;

  /** Guarded by this. */
  private boolean closed;

  /**
   * For messages that have not begun.
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

  /** A message has begun, and of what has come nothing has been read. */
  public void begin() {
    begun = true;
    held = 0;
    thread = Thread.currentThread();
    start = AllocatedBytes.ofCurrentThread();
  }

  /**
   * More of the message is to be read, or made of what has come.
   *
   * @param comeBytes how many bytes of it have come
   * @param nextBytes what is to be allocated for it at once
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

  /** An array of that many bytes, made for the message, is not used any more. */
  public void drop(long bytes) {
    start += bytes;
  }

  /** The message has been read, or will not be. */
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

  /** No message comes any more, and the thread that reads is about to find that out. */
  public synchronized void close() {
    closed = true;
    giveBack();
  }
}

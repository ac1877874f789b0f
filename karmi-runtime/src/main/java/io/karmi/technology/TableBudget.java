package io.karmi.technology;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that connections keep between calls for what their peers have described, such as
 * interfaces and classes, in this JVM: an eighth of what the heap can become, beside the free bytes
 * of each {@link TableShare}.
 *
 * <p>Thread-safe.
 */
public final class TableBudget {
  private static final int PART_OF_HEAP = 8;

  private static final TableBudget OF_JVM =
      new TableBudget(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);

  private final long most;
  private final AtomicLong taken = new AtomicLong();

  /** A budget of this many bytes. */
  public TableBudget(long most) {
    this.most = most;
  }

  /** The one of this JVM. */
  public static TableBudget ofJvm() {
    return OF_JVM;
  }

  /** Takes bytes until they are {@linkplain #giveBack given back}; false if fewer are left. */
  boolean take(long bytes) {
    long before;
    do {
      before = taken.get();
      if (before + bytes > most) {
        return false;
      }
    } while (!taken.compareAndSet(before, before + bytes));
    return true;
  }

  void giveBack(long bytes) {
    taken.addAndGet(-bytes);
  }

  /** How many bytes are taken. */
  public long takenBytes() {
    return taken.get();
  }

  /** How many bytes there are. */
  public long mostBytes() {
    return most;
  }
}

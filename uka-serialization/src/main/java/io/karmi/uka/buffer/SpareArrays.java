package io.karmi.uka.buffer;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Arrays that streams lend one another: most programs open a stream per message, and one that is
 * larger than a page would cost an array each time.
 *
 * <p>There are few, each for {@link #LENGTH} bytes, and a thread mostly meets the same one again.
 * They are not cleared. Thread-safe: an array belongs to whoever has taken it.
 */
final class SpareArrays {
  /** Room for what a stream writes at once, and a piece more. */
  static final int LENGTH = (1 << 16) + (1 << 14);

  private static final AtomicReferenceArray<byte[]> SPARE = new AtomicReferenceArray<>(8);

  private SpareArrays() {}

  /** An array of {@link #LENGTH} bytes, with whatever is in it. */
  static byte[] take() {
    byte[] array = SPARE.getAndSet(slot(), null);
    return array == null ? new byte[LENGTH] : array;
  }

  /** Gives back an array that nobody uses any more, if it is one that {@link #take} may return. */
  static void give(byte[] array) {
    if (array.length == LENGTH) {
      SPARE.set(slot(), array);
    }
  }

  private static int slot() {
    return (int) Thread.currentThread().getId() & SPARE.length() - 1;
  }
}

package io.karmi.uka.format;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Pool of arrays for streams, as a stream per message that is larger than a page would allocate an
 * array each time.
 *
 * <p>There are few arrays, of {@link #LENGTH} bytes; a thread mostly gets the same one again.
 * Thread-safe: an array belongs to the stream that has taken it.
 *
 * <p>A program's own stream could keep an array and see the bytes of others. So only streams of the
 * JDK that keep none get pooled arrays ({@link #maySee}), which are cleared before the next use.
 */
final class SpareArrays {
  /** Length of an array: a chunk, and room for a piece more. */
  static final int LENGTH = (1 << 16) + (1 << 14);

  /** Streams of the JDK that do not use an array after a call. */
  private static final Set<String> TRUSTED =
      Set.of(
          "java.io.ByteArrayInputStream",
          "java.io.ByteArrayOutputStream",
          "java.io.FileInputStream",
          "java.io.FileOutputStream",
          "java.net.Socket$SocketInputStream",
          "java.net.Socket$SocketOutputStream");

  private static final ClassValue<Boolean> MAY_SEE =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return type.getClassLoader() == null && TRUSTED.contains(type.getName());
        }
      };

  private static final AtomicReferenceArray<byte[]> SPARE = new AtomicReferenceArray<>(8);

  private SpareArrays() {}

  /** Whether streams of this class may get pooled arrays. */
  static boolean maySee(Class<?> streamType) {
    return MAY_SEE.get(streamType);
  }

  /** An array of {@link #LENGTH} bytes, all 0. */
  static byte[] take() {
    byte[] array = SPARE.getAndSet(slot(), null);
    return array == null ? new byte[LENGTH] : array;
  }

  /**
   * Gives back an array, if it is of the pool's length.
   *
   * @param usedBytes number of bytes that may not be 0
   */
  static void give(byte[] array, int usedBytes) {
    if (array.length == LENGTH) {
      Arrays.fill(array, 0, Math.min(usedBytes, LENGTH), (byte) 0);
      SPARE.set(slot(), array);
    }
  }

  private static int slot() {
    return (int) Thread.currentThread().getId() & SPARE.length() - 1;
  }
}

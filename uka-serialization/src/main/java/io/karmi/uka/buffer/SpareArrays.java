package io.karmi.uka.buffer;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Arrays that streams lend one another: most programs open a stream per message, and one that is
 * larger than a page would cost an array each time.
 *
 * <p>There are few, each for {@link #LENGTH} bytes, and a thread mostly meets the same one again.
 * Thread-safe: an array belongs to the stream that has taken it.
 *
 * <p>A program's own stream could keep an array that it is given, and see in it what others read
 * and write. So only streams of the JDK's that keep none are given such arrays ({@link #maySee}),
 * and they are cleared before they are lent again.
 */
final class SpareArrays {
  /** Room for what a stream writes at once, and a piece more. */
  static final int LENGTH = (1 << 16) + (1 << 14);

  /** Streams of the JDK's that have read or written all they will when they return. */
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

  /** Whether such an array may be handed to a stream of this class. */
  static boolean maySee(Class<?> streamType) {
    return MAY_SEE.get(streamType);
  }

  /** An array of {@link #LENGTH} bytes, all 0. */
  static byte[] take() {
    byte[] array = SPARE.getAndSet(slot(), null);
    return array == null ? new byte[LENGTH] : array;
  }

  /**
   * Gives back an array that is not used any more, if it is one that {@link #take} may return.
   *
   * @param usedBytes how many bytes of it may be other than 0
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

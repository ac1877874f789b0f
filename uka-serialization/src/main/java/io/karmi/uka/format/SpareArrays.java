package io.karmi.uka.format;

import io.karmi.uka.platform.Permitted;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Pool of arrays for streams, as a stream per message would allocate an array each time: a fresh
 * one costs more than all that is written to it.
 *
 * <p>There are few arrays, of {@link #LENGTH} and of {@link #SMALL_LENGTH} bytes; a thread mostly
 * gets the same one again. Thread-safe: an array belongs to the stream that has taken it.
 *
 * <p>A program's own stream could keep an array and see the bytes of others. So only streams whose
 * arrays go to methods of the JDK that keep none get pooled ones ({@link #maySee}), which are
 * cleared before the next use.
 */
final class SpareArrays {
  /** Length of an array: a chunk, and room for a piece more. */
  static final int LENGTH = (1 << 16) + (1 << 14);

  static final int SMALL_LENGTH = 2048;

  /** Slots between two small arrays, so that threads do not share a cache line of 64 bytes. */
  private static final int APART = 16;

  private static final int SMALL_ARRAYS = 32;

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
          return Permitted.isNeeded() ? Permitted.get(() -> isTrusted(type)) : isTrusted(type);
        }
      };

  private static final AtomicReferenceArray<byte[]> SPARE = new AtomicReferenceArray<>(8);

  private static final AtomicReferenceArray<byte[]> SPARE_SMALL =
      new AtomicReferenceArray<>(SMALL_ARRAYS * APART);

  private SpareArrays() {}

  /** Whether it is a trusted class, or a subclass that has no method of its own for arrays. */
  private static boolean isTrusted(Class<?> streamType) {
    Class<?> type = streamType;
    while (type != null && (type.getClassLoader() != null || !TRUSTED.contains(type.getName()))) {
      if (type.getClassLoader() == null || takesArrays(type)) {
        return false;
      }
      type = type.getSuperclass();
    }
    return type != null;
  }

  private static boolean takesArrays(Class<?> type) {
    try {
      for (Method method : type.getDeclaredMethods()) {
        if (List.of(method.getParameterTypes()).contains(byte[].class)) {
          return true;
        }
      }
      return false;
    } catch (LinkageError e) {
      /* Some method names a missing class; it may be any. */
      return true;
    }
  }

  /** Whether streams of this class may get pooled arrays. */
  static boolean maySee(Class<?> streamType) {
    return MAY_SEE.get(streamType);
  }

  /** An array of {@link #LENGTH} bytes, all 0. */
  static byte[] take() {
    byte[] array = SPARE.getAndSet(slot(), null);
    return array == null ? new byte[LENGTH] : array;
  }

  /** An array of {@link #SMALL_LENGTH} bytes, all 0. */
  static byte[] takeSmall() {
    byte[] array = SPARE_SMALL.getAndSet(smallSlot(), null);
    return array == null ? new byte[SMALL_LENGTH] : array;
  }

  /**
   * Gives back an array, if it is of one of the pool's lengths.
   *
   * @param usedBytes number of bytes that may not be 0
   */
  static void give(byte[] array, int usedBytes) {
    if (array.length == LENGTH) {
      Arrays.fill(array, 0, Math.min(usedBytes, LENGTH), (byte) 0);
      SPARE.set(slot(), array);
    } else if (array.length == SMALL_LENGTH) {
      Arrays.fill(array, 0, Math.min(usedBytes, SMALL_LENGTH), (byte) 0);
      SPARE_SMALL.setRelease(smallSlot(), array);
    }
  }

  private static int slot() {
    return (int) Thread.currentThread().getId() & SPARE.length() - 1;
  }

  private static int smallSlot() {
    return ((int) Thread.currentThread().getId() & SMALL_ARRAYS - 1) * APART;
  }
}

package io.karmi.messaging.frame;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Pool of large arrays for messages. A new array is filled with zeros, which takes as long as to
 * copy a message into it.
 *
 * <p>Thread-safe.
 */
public final class ArrayPool {
  /** Smallest array that is kept, in bytes. */
  public static final int MINIMUM_BYTES = 64 * 1024;

  /** Largest array that is kept, in bytes. */
  public static final int LARGEST_BYTES = 4 << 20;

  /** Upper bound of all arrays that are kept, in bytes. */
  private static final long MAXIMUM_BYTES =
      Math.min(16 << 20, Runtime.getRuntime().maxMemory() / 32);

  /** Free arrays by the binary logarithm of their length. */
  private final List<ArrayDeque<byte[]>> free = new ArrayList<>();

  private long freeBytes;

  /** Whether an array was taken since it was last asked. */
  private boolean used;

  public ArrayPool() {
    for (int i = 0; i < Integer.SIZE; i++) {
      free.add(new ArrayDeque<>(0));
    }
  }

  /** An array with any content, at least that long; a power of two if it is one to keep. */
  public byte[] take(int atLeastBytes) {
    if (atLeastBytes > LARGEST_BYTES) {
      return new byte[atLeastBytes];
    }
    int power = powerFor(atLeastBytes);
    synchronized (this) {
      used = true;
      byte[] array = free.get(power).pollFirst();
      if (array != null) {
        freeBytes -= array.length;
        return array;
      }
    }
    return new byte[1 << power];
  }

  private static int powerFor(int atLeastBytes) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(1, atLeastBytes - 1));
  }

  /** How long the array is that {@link #take} returns. */
  public static int lengthFor(int atLeastBytes) {
    return atLeastBytes > LARGEST_BYTES ? atLeastBytes : 1 << powerFor(atLeastBytes);
  }

  /** Takes an array back that is not used any more, or lets it go. */
  public synchronized void giveBack(byte[] array) {
    if (array.length >= MINIMUM_BYTES
        && array.length <= LARGEST_BYTES
        && freeBytes + array.length <= MAXIMUM_BYTES) {
      freeBytes += array.length;
      free.get(Integer.SIZE - 1 - Integer.numberOfLeadingZeros(array.length)).addFirst(array);
    }
  }

  /** Lets go of the arrays if none was taken since this was last called. */
  public synchronized void trim() {
    if (!used) {
      free.forEach(ArrayDeque::clear);
      freeBytes = 0;
    }
    used = false;
  }

  /** Bytes that are kept. */
  public synchronized long freeBytes() {
    return freeBytes;
  }
}

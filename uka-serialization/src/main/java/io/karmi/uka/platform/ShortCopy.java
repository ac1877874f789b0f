package io.karmi.uka.platform;

/**
 * Copy of few bytes, eight at a time, without a loop. For so few the call of {@link
 * System#arraycopy} takes longer, and so does a loop, which the JIT prepares for many.
 */
public final class ShortCopy {
  /** Size of the largest array that is copied. */
  public static final int LONGEST = 48;

  private static final long LOW_BITS = 0x0101010101010101L;

  private ShortCopy() {}

  /** Copies all bytes, at most {@link #LONGEST}. */
  public static void copy(byte[] from, byte[] to, int position) {
    int length = from.length;
    if (length < Long.BYTES) {
      copyFew(from, to, position);
      return;
    }
    /* From both ends: what lies in the middle may be copied twice. */
    if (length > 2 * Long.BYTES) {
      if (length > 4 * Long.BYTES) {
        copyEight(from, 2 * Long.BYTES, to, position);
        copyEight(from, 3 * Long.BYTES, to, position);
      }
      copyEight(from, Long.BYTES, to, position);
      copyEight(from, length - 2 * Long.BYTES, to, position);
    }
    copyEight(from, 0, to, position);
    copyEight(from, length - Long.BYTES, to, position);
  }

  private static long copyEight(byte[] from, int index, byte[] to, int position) {
    long eight = (long) PrimitiveBlock.LONGS.get(from, index);
    PrimitiveBlock.LONGS.set(to, position + index, eight);
    return eight | eight - LOW_BITS;
  }

  private static void copyFew(byte[] from, byte[] to, int position) {
    int length = from.length;
    int last = length - Integer.BYTES;
    if (last >= 0) {
      PrimitiveBlock.INTS.set(to, position, (int) PrimitiveBlock.INTS.get(from, 0));
      PrimitiveBlock.INTS.set(to, position + last, (int) PrimitiveBlock.INTS.get(from, last));
      return;
    }
    for (int i = 0; i < length; i++) {
      to[position + i] = from[i];
    }
  }

  /**
   * As {@link #copy}.
   *
   * @return a number with bytes whose highest bit is set if a byte is negative or 0
   */
  public static long copyAndTest(byte[] from, byte[] to, int position) {
    int length = from.length;
    long tested = 0;
    if (length < Long.BYTES) {
      for (int i = 0; i < length; i++) {
        to[position + i] = from[i];
        tested |= from[i] | from[i] - 1;
      }
      return tested;
    }
    if (length > 2 * Long.BYTES) {
      if (length > 4 * Long.BYTES) {
        tested = copyEight(from, 2 * Long.BYTES, to, position);
        tested |= copyEight(from, 3 * Long.BYTES, to, position);
      }
      tested |= copyEight(from, Long.BYTES, to, position);
      tested |= copyEight(from, length - 2 * Long.BYTES, to, position);
    }
    tested |= copyEight(from, 0, to, position);
    return tested | copyEight(from, length - Long.BYTES, to, position);
  }
}

package io.karmi.uka.handle;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Slots of a hash table of numbers, as narrow as the numbers allow, so that those of a thousand
 * objects stay in the processor's first cache. Numbers are kept one higher; 0 is a free slot. Not
 * thread-safe.
 */
final class NumberIndex {
  private static final int NARROW_NUMBERS = Character.MAX_VALUE;
  private static final char[] NO_NARROW = {};
  private static final int[] NO_WIDE = {};

  private char[] narrow = NO_NARROW;

  /** In use instead of {@link #narrow} where that is too narrow. */
  private int[] wide = NO_WIDE;

  private int mask;

  /** One less than the number of slots, which is a power of two. */
  int mask() {
    return mask;
  }

  /** The slots, each one higher than its number; null if they are wide. */
  char @Nullable [] narrow() {
    return wide.length == 0 ? narrow : null;
  }

  /** The number in this slot, or -1. */
  int get(int slot) {
    return (wide.length == 0 ? narrow[slot] : wide[slot]) - 1;
  }

  void set(int slot, int number) {
    if (wide.length == 0) {
      narrow[slot] = (char) (number + 1);
    } else {
      wide[slot] = number + 1;
    }
  }

  /** Frees all slots, of which there are {@code length} from now on. */
  void begin(int length) {
    mask = length - 1;
    if (length / 2 > NARROW_NUMBERS) {
      wide = new int[length];
      return;
    }
    wide = NO_WIDE;
    if (narrow.length < length) {
      narrow = new char[length];
    } else {
      Arrays.fill(narrow, 0, length, (char) 0);
    }
  }
}

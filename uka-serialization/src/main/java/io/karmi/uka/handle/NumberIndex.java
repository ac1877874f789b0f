package io.karmi.uka.handle;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a hash table of numbers, as narrow as the numbers allow: whether a slot is still in
 * the processor's first cache decides how fast a graph of a thousand objects is written.
 *
 * <p>Numbers are kept one higher, so that 0 is a free slot. Not thread-safe.
 */
final class NumberIndex {
  private static final int NARROW_NUMBERS = Character.MAX_VALUE;
  private static final char[] NO_NARROW = {};
  private static final int[] NO_WIDE = {};

  private char[] narrow = NO_NARROW;

  /** Takes the place of {@link #narrow} when there are more numbers than that can hold. */
  private int[] wide = NO_WIDE;

  private int mask;

  /** One less than the number of slots, which is a power of two. */
  int mask() {
    return mask;
  }

  /** The slots, each one higher than its number; null if there are too many numbers for that. */
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

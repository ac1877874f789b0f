package io.karmi.uka.handle;

import org.jspecify.annotations.Nullable;

/**
 * Arrays of a message's objects, forgotten in bulk.
 *
 * <p>An array that lives on from message to message grows old, and where generations are collected
 * apart (G1), each store of a young object into an old array costs a memory fence: half of what it
 * takes to move a small object. So the array is replaced now and then, long before it would be
 * promoted, at the price of a sixteenth of a byte per object.
 */
public final class Slots {
  /** An array is replaced when this many times its length has been stored. */
  private static final int TURNS = 64;

  /** A loop over more takes longer than a copy, as the garbage collector watches each step. */
  private static final int FEW = 32;

  private static final @Nullable Object[] NOTHING = new @Nullable Object[512];

  private Slots() {}

  /** How many objects an array of this length may take. */
  public static int lifeOf(int length) {
    return TURNS * length;
  }

  /** Copies {@code count} elements. */
  static void copy(
      @Nullable Object[] from, int start, @Nullable Object[] to, int first, int count) {
    if (count > FEW) {
      System.arraycopy(from, start, to, first, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      to[first + i] = from[start + i];
    }
  }

  /** Sets the first {@code count} elements to null. */
  public static void clear(@Nullable Object[] objects, int count) {
    if (count <= FEW) {
      for (int i = 0; i < count; i++) {
        objects[i] = null;
      }
      return;
    }
    for (int done = 0; done < count; done += NOTHING.length) {
      System.arraycopy(NOTHING, 0, objects, done, Math.min(NOTHING.length, count - done));
    }
  }
}

package io.karmi.uka.handle;

import org.jspecify.annotations.Nullable;

/**
 * Helper for arrays of a message's objects.
 *
 * <p>With G1, a store of a young object into an old array costs a memory fence, half as much as to
 * move a small object. So an array is replaced before it would be promoted, which costs a sixteenth
 * of a byte per object.
 */
public final class Slots {
  /** Stores per element before an array is replaced. */
  private static final int TURNS = 64;

  /** Elements up to which a loop is faster than a bulk copy. */
  private static final int FEW = 32;

  private static final @Nullable Object[] NOTHING = new @Nullable Object[512];

  private Slots() {}

  /** Stores into an array of this length before it is replaced. */
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

package io.karmi.uka.handle;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Forgets objects in bulk. */
final class Slots {
  /** A loop over more takes longer than a copy, as the garbage collector watches each step. */
  private static final int FEW = 32;

  private static final @Nullable Object[] NOTHING = new @Nullable Object[512];

  private Slots() {}

  /** Sets the first {@code count} elements to null. */
  static void clear(@Nullable Object[] objects, int count) {
    if (count <= FEW) {
      Arrays.fill(objects, 0, count, null);
      return;
    }
    for (int done = 0; done < count; done += NOTHING.length) {
      System.arraycopy(NOTHING, 0, objects, done, Math.min(NOTHING.length, count - done));
    }
  }
}

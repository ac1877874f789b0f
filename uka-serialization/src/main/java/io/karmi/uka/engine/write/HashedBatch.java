package io.karmi.uka.engine.write;

import io.karmi.uka.field.ContentHash;
import io.karmi.uka.handle.HandleTable;
import org.jspecify.annotations.Nullable;

/**
 * Elements of an array whose content is hashed together, before they get their handles.
 *
 * <p>Of equal elements few are new, and the hashes of the others are computed in vain: then fewer
 * are hashed at a time.
 */
final class HashedBatch {
  /** Elements that get their handles together, at most. */
  static final int MAXIMUM = 512;

  /** Elements that get their handles together, at least. */
  static final int FEW = 8;

  private final int[] hashes = new int[MAXIMUM];

  /** Elements of the next batch. */
  private int wanted = MAXIMUM;

  /** As {@link HandleTable#assignNew(Object[], int, int, Class, int[])}. */
  int assignNew(
      HandleTable handles,
      ContentHash content,
      @Nullable Object[] elements,
      int from,
      int most,
      Class<?> type) {
    int asked = Math.min(most, wanted);
    int hashed = content.contentHashes(elements, from, asked, type, hashes);
    int taken = handles.assignNew(elements, from, hashed, type, hashes);
    wanted = taken < asked ? FEW : Math.min(2 * wanted, MAXIMUM);
    return taken;
  }
}

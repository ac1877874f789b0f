package io.karmi.dgc;

import java.util.HashMap;
import java.util.Map;

/**
 * Numbers of holders of exported objects. An object without a holder is released. Guarded by the
 * lock of the class that counts.
 */
public final class HolderCounts {
  private final ExportedObjects objects;

  /** Objects without a holder are absent. */
  private final Map<Long, Integer> counts = new HashMap<>();

  /** A table in which no object is held. */
  public HolderCounts(ExportedObjects objects) {
    this.objects = objects;
  }

  /** Adds a holder of the object with this number. */
  public void add(long number) {
    counts.merge(number, 1, Integer::sum);
  }

  /**
   * Removes a holder. If this fails for want of memory nothing has changed, and it can be called
   * again.
   */
  public void remove(long number) {
    Integer count = counts.get(number);
    if (count != null && count > 1) {
      counts.put(number, count - 1);
    } else {
      objects.letGo(number);
      counts.remove(number);
    }
  }

  /** Whether an object has a holder. */
  public boolean isHeld(long number) {
    return counts.containsKey(number);
  }

  /** The number of objects that have a holder. */
  public int heldObjects() {
    return counts.size();
  }
}

package io.karmi.dgc;

import java.util.HashMap;
import java.util.Map;

/**
 * How many holders exported objects have; an object that has none any more is let go. Guarded by
 * the lock of the class that counts.
 */
public final class HolderCounts {
  private final ExportedObjects objects;

  /** Objects without a holder are absent. */
  private final Map<Long, Integer> counts = new HashMap<>();

  /** A table in which no object is held. */
  public HolderCounts(ExportedObjects objects) {
    this.objects = objects;
  }

  /** One more holds the object with this number. */
  public void add(long number) {
    counts.merge(number, 1, Integer::sum);
  }

  /**
   * One of those that hold the object does so no more. If this fails for want of memory nothing has
   * changed, and it can be said again.
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

  /** How many objects have a holder. */
  public int heldObjects() {
    return counts.size();
  }
}

package io.karmi.uka.handle;

import java.util.Arrays;

/**
 * The writer's side: which object, by identity, has which handle in this message.
 *
 * <p>Numbers count from 0 in the order of {@link #assign}. A number can be given to nobody: an unshared object takes one,
 * and is never found again. The same table numbers types ({@link io.karmi.uka.type.LocalClass} objects).
 *
 * <p>Open addressing over the identity hash, at most half full. {@link #clear} lets every object go, and a table that one
 * big message has grown shrinks again. Not thread-safe.
 */
public final class HandleTable {
  private static final int INITIAL_SLOTS = 64;
  private static final int SLOTS_TO_KEEP = 1 << 12;

  private Object[] objects = new Object[INITIAL_SLOTS];
  private int[] handles = new int[INITIAL_SLOTS];
  private int mask = INITIAL_SLOTS - 1;
  private int entries;
  private int next;

  /** The object's handle, or -1. */
  public int find(Object object) {
    int slot = slotOf(object);
    for (; ; ) {
      Object found = objects[slot];
      if (found == object) {
        return handles[slot];
      }
      if (found == null) {
        return -1;
      }
      slot = (slot + 1) & mask;
    }
  }

  /** Gives the next number to {@code object}; null takes a number without being findable. */
  public int assign(Object object) {
    if (object != null) {
      if (2 * (entries + 1) > objects.length) {
        resize(2 * objects.length);
      }
      insert(object, next);
    }
    return next++;
  }

  /** How many numbers have been assigned. */
  public int size() {
    return next;
  }

  /** Takes back all numbers from {@code size} on. */
  public void truncate(int size) {
    if (size >= next) {
      return;
    }
    Object[] oldObjects = objects;
    int[] oldHandles = handles;
    objects = new Object[oldObjects.length];
    handles = new int[oldObjects.length];
    entries = 0;
    for (int i = 0; i < oldObjects.length; i++) {
      if (oldObjects[i] != null && oldHandles[i] < size) {
        insert(oldObjects[i], oldHandles[i]);
      }
    }
    next = size;
  }

  /** Forgets everything; numbers start at 0 again. */
  public void clear() {
    next = 0;
    if (entries == 0) {
      return;
    }
    entries = 0;
    if (objects.length > SLOTS_TO_KEEP) {
      objects = new Object[INITIAL_SLOTS];
      handles = new int[INITIAL_SLOTS];
      mask = INITIAL_SLOTS - 1;
    } else {
      Arrays.fill(objects, null);
    }
  }

  private int slotOf(Object object) {
    int hash = System.identityHashCode(object);
    return (hash ^ hash >>> 15) & mask;
  }

  private void insert(Object object, int handle) {
    int slot = slotOf(object);
    while (objects[slot] != null && objects[slot] != object) {
      slot = (slot + 1) & mask;
    }
    if (objects[slot] == null) {
      entries++;
    }
    objects[slot] = object;
    handles[slot] = handle;
  }

  private void resize(int slots) {
    Object[] oldObjects = objects;
    int[] oldHandles = handles;
    objects = new Object[slots];
    handles = new int[slots];
    mask = slots - 1;
    entries = 0;
    for (int i = 0; i < oldObjects.length; i++) {
      if (oldObjects[i] != null) {
        insert(oldObjects[i], oldHandles[i]);
      }
    }
  }
}

package io.karmi.uka.handle;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Table of objects by their handles, for the reader, and of the objects that must not be handed
 * out.
 *
 * <p>An object whose class is missing is <em>marked</em> with that {@link ClassNotFoundException},
 * and so is everything that depends on it. While an object is being read it is not known yet
 * whether it will be marked: somewhere below it may lie a back reference to an object above, which
 * is still open too. Such dependencies are noted with the object depended on, and the mark runs
 * along them. An object is settled once it is finished and no open dependency points below it.
 *
 * <p>Each handle is visited once when it settles: visited ranges are kept, and later searches skip
 * them.
 *
 * <p>Not thread-safe.
 */
public final class ReadHandleTable {
  /** The handle of no object, such as null or a primitive. */
  public static final int NONE = -1;

  /** In the place of an unshared object, to whose handle nothing may refer. */
  public static final Object UNSHARED = new Object();

  private static final int INITIAL_CAPACITY = 8;
  private static final @Nullable Object[] NO_OBJECTS = {};
  private static final byte[] NO_STATES = {};
  private static final int[] NO_RANGES = {};
  private static final int CAPACITY_TO_KEEP = 1 << 12;

  /** After as many objects more the {@link Growth} is told. */
  private static final int OBJECTS_PER_LOOK = 1 << 8;

  private static final byte SETTLED = 0;
  private static final byte OPEN = 1;
  private static final byte MARKED = 2;

  private @Nullable Object[] objects = NO_OBJECTS;

  /** Entries from {@link #size} on are settled, as most objects stay. */
  private byte[] states = NO_STATES;

  private int @Nullable [] @Nullable [] dependents;
  private int lowestOpenTarget = NONE;
  private boolean marks;

  /** Start and end of each range of handles without an open one, ascending and disjoint. */
  private int[] closedRanges = NO_RANGES;

  /** How many numbers in {@link #closedRanges} are in use. */
  private int closedEnd;

  private int size;

  /** Up to this size objects can be added without a further look. */
  private int room;

  private final Growth growth;
  private int openCount;

  /** Objects, in all messages, before the array is replaced. */
  private int left = Slots.lifeOf(INITIAL_CAPACITY);

  /** Told now and then that a message has many objects, and more with each time. */
  @FunctionalInterface
  public interface Growth {
    /** May throw, and then no object is added. */
    void grow();
  }

  /** An empty table. */
  public ReadHandleTable(Growth growth) {
    this.growth = growth;
  }

  /** Gives the next handle to {@code object}, which is open from now on. */
  public int assign(@Nullable Object object) {
    int handle = assignSettled(object);
    states[handle] = OPEN;
    openCount++;
    return handle;
  }

  /** Gives the next handle to an object that depends on nothing and is complete. */
  public int assignSettled(@Nullable Object object) {
    if (size == room) {
      grow(1);
    }
    objects[size] = object;
    return size++;
  }

  /** Gives the next handles to objects of an array that depend on nothing and are complete. */
  public void assignAllSettled(@Nullable Object[] from, int start, int end) {
    int count = end - start;
    if (count > room - size) {
      grow(count);
    }
    Slots.copy(from, start, objects, size, count);
    size += count;
  }

  /**
   * The objects, with room for {@code count} more from {@link #size} on, which {@link #addSettled}
   * adds.
   */
  public @Nullable Object[] room(int count) {
    if (count > room - size) {
      grow(count);
    }
    return objects;
  }

  /**
   * Gives the next handles to objects that have been stored in the {@link #room}, depend on nothing
   * and are complete.
   */
  public void addSettled(int count) {
    size += count;
  }

  private void grow(int count) {
    if (size >= OBJECTS_PER_LOOK) {
      growth.grow();
    }
    if (size + count > objects.length) {
      int capacity = Math.max(Math.max(INITIAL_CAPACITY, 2 * size), size + count);
      objects = Arrays.copyOf(objects, capacity);
      states = Arrays.copyOf(states, capacity);
    }
    room = Math.min(objects.length, size + Math.max(count, OBJECTS_PER_LOOK));
  }

  /** How many handles have been assigned. */
  public int size() {
    return size;
  }

  /** The object, or null if it is marked. */
  public @Nullable Object get(int handle) {
    return handle == NONE || states[handle] == MARKED ? null : objects[handle];
  }

  /** The object, if it is complete, depends on nothing and may be referred to; else null. */
  public @Nullable Object settled(int handle) {
    if (handle < 0 || handle >= size || states[handle] != SETTLED) {
      return null;
    }
    Object object = objects[handle];
    return object == UNSHARED ? null : object;
  }

  /** The objects by their handles; null for those that must not be referred to. */
  public @Nullable Object[] objects() {
    @Nullable Object[] all = Arrays.copyOf(objects, size);
    for (int i = 0; i < size; i++) {
      all[i] = settled(i);
    }
    return all;
  }

  /** Replaces the object, unless it is marked. */
  public void set(int handle, @Nullable Object object) {
    if (states[handle] != MARKED) {
      objects[handle] = object;
    }
  }

  /** Why the object must not be handed out, or null. */
  public @Nullable ClassNotFoundException failure(int handle) {
    return marks && handle != NONE && states[handle] == MARKED
        ? (ClassNotFoundException) objects[handle]
        : null;
  }

  /** Whether nothing that is still to come can mark the object. */
  public boolean isSettled(int handle) {
    return handle == NONE || states[handle] == SETTLED;
  }

  /** Whether every finished object is settled and none is marked: no dependency need be noted. */
  public boolean isQuiet() {
    return lowestOpenTarget == NONE && !marks;
  }

  /** Notes that {@code handle} depends on {@code target}. */
  public void depend(int handle, int target) {
    if (target == NONE || handle == NONE || states[target] == SETTLED || handle == target) {
      return;
    }
    if (states[handle] != OPEN) {
      return;
    }
    if (states[target] == MARKED) {
      mark(handle, Objects.requireNonNull(failure(target)));
      return;
    }
    addDependent(target, handle);
    if (lowestOpenTarget == NONE || target < lowestOpenTarget) {
      lowestOpenTarget = target;
    }
  }

  /** Marks the object and, transitively, all that depend on it. */
  public void mark(int handle, ClassNotFoundException failure) {
    marks = true;
    int[] pending = {handle};
    int count = 1;
    while (count > 0) {
      int marked = pending[--count];
      if (states[marked] != OPEN) {
        continue;
      }
      states[marked] = MARKED;
      objects[marked] = failure;
      int[] list = takeDependents(marked);
      if (list != null) {
        if (pending.length < count + list[0]) {
          pending = Arrays.copyOf(pending, 2 * (count + list[0]));
        }
        System.arraycopy(list, 1, pending, count, list[0]);
        count += list[0];
      }
    }
  }

  /** Completes the object, which settles now or with the object that it depends on. */
  public void finish(int handle) {
    if (lowestOpenTarget != NONE) {
      finishAll(handle);
    } else if (states[handle] == OPEN) {
      settle(handle);
    }
  }

  /** Settles what depends on this object, unless it depends on an open one above. */
  private void finishAll(int handle) {
    if (lowestOpenTarget < handle) {
      return;
    }
    lowestOpenTarget = NONE;
    int start = handle;
    int end = size;
    while (closedEnd > 0 && closedRanges[closedEnd - 1] > handle) {
      settleBetween(closedRanges[closedEnd - 1], end);
      end = closedRanges[closedEnd - 2];
      start = Math.min(start, end);
      closedEnd -= 2;
    }
    settleBetween(handle, end);
    addClosedRange(start, size);
  }

  private void settleBetween(int start, int end) {
    for (int i = start; i < end; i++) {
      if (states[i] == OPEN) {
        settle(i);
      }
    }
  }

  private void addClosedRange(int start, int end) {
    if (closedEnd == closedRanges.length) {
      closedRanges = Arrays.copyOf(closedRanges, Math.max(INITIAL_CAPACITY, 2 * closedEnd));
    }
    closedRanges[closedEnd++] = start;
    closedRanges[closedEnd++] = end;
  }

  private void settle(int handle) {
    states[handle] = SETTLED;
    openCount--;
    if (dependents != null) {
      takeDependents(handle);
    }
  }

  /** Forgets everything; handles start at 0 again. */
  public void clear() {
    left -= size;
    if (left < 0 || objects.length > CAPACITY_TO_KEEP) {
      renew();
    } else {
      Slots.clear(objects, size);
      if (openCount > 0 || marks) {
        Arrays.fill(states, 0, size, SETTLED);
      }
    }
    openCount = 0;
    if (dependents != null) {
      dependents = null;
    }
    lowestOpenTarget = NONE;
    marks = false;
    closedEnd = 0;
    size = 0;
    room = Math.min(objects.length, OBJECTS_PER_LOOK);
  }

  private void renew() {
    int length = objects.length > CAPACITY_TO_KEEP ? INITIAL_CAPACITY : objects.length;
    objects = new @Nullable Object[length];
    states = new byte[length];
    left = Slots.lifeOf(length);
    closedRanges = NO_RANGES;
  }

  /* A list of dependents is its length followed by room for that many handles or more. */

  private void addDependent(int target, int handle) {
    if (dependents == null) {
      dependents = new int[objects.length][];
    } else if (dependents.length <= target) {
      dependents = Arrays.copyOf(dependents, objects.length);
    }
    int[] list = dependents[target];
    if (list == null) {
      list = new int[4];
    } else if (list[0] + 1 == list.length) {
      list = Arrays.copyOf(list, 2 * list.length);
    }
    list[++list[0]] = handle;
    dependents[target] = list;
  }

  private int @Nullable [] takeDependents(int target) {
    if (dependents == null || target >= dependents.length) {
      return null;
    }
    int[] list = dependents[target];
    dependents[target] = null;
    return list;
  }
}

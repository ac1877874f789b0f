package io.karmi.uka.handle;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The writer's side: which object, by identity, has which handle in this message.
 *
 * <p>Numbers count from 0 in the order of {@link #assign}. Of an object with several numbers the
 * last one counts. A number can be given to nobody: an unshared object takes one, and is never
 * found again. The same table numbers types ({@link io.karmi.uka.type.LocalClass} objects).
 *
 * <p>Objects lie in an array in the order of their numbers. While there are few, looking for one is
 * a scan of that array: cheaper than the first identity hash of an object, which the VM computes at
 * the price of some fifty comparisons. When there are more, an index of the array is made: open
 * addressing over the identity hash, at most half full. Strings and boxes go by their value as long
 * as that keeps them apart: their identity hash, too, would have to be made; the hash of a value is
 * cheap, so that they are in the index much earlier. An entry of the index is valid for one
 * generation, so that forgetting a message is to count generations up and to null the array's used
 * part. A table that one big message has grown shrinks again. Not thread-safe.
 */
public final class HandleTable {
  /** So many objects are found by scanning. */
  private static final int SCANNED = 32;

  /** So many are before strings and boxes are looked for in the index. */
  private static final int SCANNED_VALUES = 16;

  /** So many slots are tried before equal objects, of which there may be any number, part ways. */
  private static final int TRIED_BY_VALUE = 8;

  /** A stream that a program opens for one message makes two tables. */
  private static final int INITIAL_CAPACITY = 8;

  private static final int OBJECTS_TO_KEEP = 1 << 12;
  private static final int[] NO_INDEX = {};

  private @Nullable Object[] objects = new @Nullable Object[INITIAL_CAPACITY];
  private int size;

  /** How many objects the array may still take, in all messages, before it is replaced. */
  private int left = Slots.lifeOf(INITIAL_CAPACITY);

  /**
   * Per slot a generation, above {@link #numberBits}, and a number. Empty while the table is small.
   */
  private int[] index = NO_INDEX;

  private int mask;
  private int numberBits;
  private int generation = 1;

  /** Whether strings and boxes are in the index. */
  private boolean valuesIndexed;

  /** Whether all objects are. */
  private boolean indexed;

  /** Up to this size an object can be added to array and index without a further look. */
  private int room;

  /** The object's handle, or -1. */
  public int find(Object object) {
    return isInIndex(object) ? findByIndex(object) : findByScan(object);
  }

  /** Whether that is where the object is, if it is anywhere. */
  private boolean isInIndex(@Nullable Object object) {
    return indexed || valuesIndexed && isValue(object);
  }

  private static boolean isValue(@Nullable Object object) {
    return object instanceof String || object instanceof Integer || object instanceof Long;
  }

  private int findByScan(Object object) {
    @Nullable Object[] scanned = objects;
    int end = Math.min(size, scanned.length);
    for (int i = end - 1; i >= 0; i--) {
      if (scanned[i] == object) {
        return i;
      }
    }
    return -1;
  }

  private int findByIndex(Object object) {
    int entry = index[slotOf(object)];
    return entry >>> numberBits == generation ? entry & mask : -1;
  }

  /**
   * The object's handle, or -1 if it had none: then it has got the next number.
   *
   * <p>The same as {@link #find} and {@link #assign}, with one look at the index.
   */
  public int findOrAssign(Object object) {
    if (!isInIndex(object)) {
      int found = findByScan(object);
      if (found < 0) {
        assignScanned(object);
      }
      return found;
    }
    int slot = slotOf(object);
    int entry = index[slot];
    if (entry >>> numberBits == generation) {
      return entry & mask;
    }
    if (size < room) {
      objects[size] = object;
      index[slot] = generation << numberBits | size++;
    } else {
      assign(object);
    }
    return -1;
  }

  /* Apart, so that the JIT puts the frequent case where it is used. */
  private void assignScanned(Object object) {
    @Nullable Object[] numbered = objects;
    int number = size;
    if (number < numbered.length && number < SCANNED_VALUES) {
      numbered[number] = object;
      size = number + 1;
    } else {
      assign(object);
    }
  }

  /** Gives the next number to {@code object}; null takes a number without being findable. */
  public int assign(@Nullable Object object) {
    int number = size;
    if (number == objects.length) {
      objects = Arrays.copyOf(objects, 2 * number);
      setRoom();
    }
    objects[number] = object;
    size = number + 1;
    if (indexed && 2L * size > index.length || !indexed && number >= SCANNED) {
      makeIndex(true);
    } else if (object != null && isInIndex(object)) {
      insert(object, number);
    } else if (number >= SCANNED_VALUES && isValue(object)) {
      makeIndex(false);
    }
    return number;
  }

  private void setRoom() {
    int most = Math.min(objects.length, index.length / 2);
    room = indexed ? most : Math.min(most, SCANNED);
  }

  /** How many numbers have been assigned. */
  public int size() {
    return size;
  }

  /** Takes back all numbers from {@code first} on. */
  public void truncate(int first) {
    if (first >= size) {
      return;
    }
    Arrays.fill(objects, first, size, null);
    size = first;
    valuesIndexed = false;
    indexed = false;
    if (first > SCANNED) {
      makeIndex(true);
    }
  }

  /** Forgets everything; numbers start at 0 again. */
  public void clear() {
    left -= size;
    if (left < 0 || objects.length > OBJECTS_TO_KEEP) {
      renew();
    } else {
      Slots.clear(objects, size);
    }
    size = 0;
    valuesIndexed = false;
    indexed = false;
  }

  private void renew() {
    int length = objects.length;
    if (length > OBJECTS_TO_KEEP) {
      length = INITIAL_CAPACITY;
      index = NO_INDEX;
      mask = 0;
    }
    objects = new @Nullable Object[length];
    left = Slots.lifeOf(length);
  }

  /** The slot where the object is, or else would be. */
  private int slotOf(Object object) {
    /* One test per class, so that none of the calls is virtual. */
    if (object instanceof String text) {
      return slotByValue(object, text.hashCode());
    }
    if (object instanceof Integer number) {
      return slotByValue(object, number.hashCode());
    }
    if (object instanceof Long number) {
      return slotByValue(object, number.hashCode());
    }
    return slotByIdentity(object);
  }

  private int slotByValue(Object object, int hash) {
    int slot = spread(hash);
    for (int i = 0; i < TRIED_BY_VALUE; i++) {
      if (isFreeOrHolds(slot, object)) {
        return slot;
      }
      slot = (slot + 1) & mask;
    }
    return slotByIdentity(object);
  }

  private int slotByIdentity(Object object) {
    int slot = spread(System.identityHashCode(object));
    while (!isFreeOrHolds(slot, object)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private int spread(int hash) {
    int mixed = hash * 0x9E3779B9;
    return (mixed ^ mixed >>> 15) & mask;
  }

  private boolean isFreeOrHolds(int slot, Object object) {
    int entry = index[slot];
    return entry >>> numberBits != generation || objects[entry & mask] == object;
  }

  private void insert(Object object, int number) {
    index[slotOf(object)] = generation << numberBits | number;
  }

  /**
   * Indexes strings and boxes, or all objects; the index is at most half full until there are twice
   * as many.
   */
  private void makeIndex(boolean all) {
    int length = (int) Math.min((long) Integer.highestOneBit(size) << 3, 1 << 30);
    /* Strings and boxes are there already, but for the object that has come last. */
    int firstValue = valuesIndexed && index.length >= length ? size - 1 : 0;
    if (index.length < length) {
      index = new int[length];
      mask = length - 1;
      numberBits = Integer.numberOfTrailingZeros(length);
      generation = 1;
    } else if (firstValue == 0 && ++generation >>> (Integer.SIZE - numberBits) != 0) {
      Arrays.fill(index, 0);
      generation = 1;
    }
    valuesIndexed = true;
    indexed = all;
    setRoom();
    for (int i = 0; i < size; i++) {
      Object object = objects[i];
      if (object != null && (isValue(object) ? i >= firstValue : all)) {
        insert(object, i);
      }
    }
  }
}

package io.karmi.uka.handle;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Table of the handles of objects in one message, by identity, for the writer. It also numbers
 * types ({@link io.karmi.uka.type.LocalClass} objects).
 *
 * <p>Numbers count from 0 in the order of {@link #assign}. Of an object with several numbers the
 * last one counts. An unshared object takes a number and is never found.
 *
 * <p>Objects lie in an array in the order of their numbers. While there are few, looking for one is
 * a scan of that array: cheaper than the first identity hash of an object, which the VM computes at
 * the price of some fifty comparisons. When there are more, an index of the array is made: open
 * addressing over the identity hash, at most half full. Strings, {@code Integer}, {@code Long} and
 * {@code Double} go by their value as long as that keeps them apart: their identity hash, too,
 * would have to be made; the hash of a value is cheap, so that they are in the index much earlier.
 * Objects of other classes, too, go by their {@linkplain Contents content} where they have some,
 * until a method of the program may change them ({@link #toIdentity}). The index is made anew in
 * each message that needs one, as large as the message before needed it; forgetting a message is to
 * null the array's used part. A table that one big message has grown shrinks again. Not
 * thread-safe.
 */
public final class HandleTable extends Hashes {
  /** In the place of a handle: the object is new, and has got the next one. */
  public static final int NEW = -1;

  /** In the place of a handle: there is no object. */
  public static final int NULL = -2;

  /** Objects compared in one step; the array's length is a multiple of it. */
  private static final int STEP = 8;

  /** Objects that are found by scanning. */
  private static final int SCANNED = 32;

  /** Objects of the message before strings and boxes are looked for in the index. */
  private static final int SCANNED_VALUES = STEP;

  /** Probes by value before the search falls back to the identity hash. */
  private static final int TRIED_BY_VALUE = 8;

  /** In the place of a slot: all that were tried are taken. */
  public static final int UNSURE = Integer.MIN_VALUE;

  private static final int INITIAL_CAPACITY = STEP;

  private static final int OBJECTS_TO_KEEP = 1 << 12;

  /** Objects that {@link #expect} makes room for, at most. */
  private static final int MAXIMUM_EXPECTED = 1 << 11;

  /** Objects that {@link #begin} makes room for, at most. */
  private static final int MAXIMUM_PROBABLE = 64;

  private static final @Nullable Object[] NO_OBJECTS = {};
  private static final char[] NO_SLOTS = {};
  private static final NumberIndex NO_INDEX = new NumberIndex();

  /** Hashes of objects that are neither strings nor boxes, by what the stream knows of them. */
  public interface Contents {
    /** The content hash, or the identity hash for a class without content. */
    int hash(Object object);

    /** Told that the slots for an object's content hash were taken by others. */
    void crowded(Object object);
  }

  private @Nullable Contents contents;
  private @Nullable Object[] objects = NO_OBJECTS;
  private int size;

  /** Whether objects that are neither strings nor boxes go by their identity hash. */
  private boolean byIdentity = true;

  /** Objects, in all messages, before the array is replaced. */
  private int left = Slots.lifeOf(INITIAL_CAPACITY);

  private NumberIndex index = NO_INDEX;

  /** Objects of the previous message. */
  private int lastSize;

  /** Objects that are scanned for strings and boxes. */
  private int scannedValues = SCANNED_VALUES;

  /** Whether strings and boxes are in the index. */
  private boolean valuesIndexed;

  /** Whether all objects are. */
  private boolean indexed;

  /** Size up to which an object can be added to array and index without a further check. */
  private int room;

  /** Looks for objects by their content from now on, as long as there are none. */
  public void useContents(Contents known) {
    contents = known;
    byIdentity = false;
  }

  /** The object's handle, or -1. */
  public int find(Object object) {
    return isInIndex(object) ? findByIndex(object) : findByScan(object);
  }

  /** Whether the index has the object, if the table has it. */
  private boolean isInIndex(@Nullable Object object) {
    return indexed || valuesIndexed && isValue(object);
  }

  /* Eight at a time: the loop ends at the same step for most objects, which the processor predicts. */
  private int findByScan(Object object) {
    @Nullable Object[] scanned = objects;
    for (int i = (size - 1) & -STEP; i >= 0; i -= STEP) {
      if (scanned[i] == object
          || scanned[i + 1] == object
          || scanned[i + 2] == object
          || scanned[i + 3] == object
          || scanned[i + 4] == object
          || scanned[i + 5] == object
          || scanned[i + 6] == object
          || scanned[i + 7] == object) {
        return lastOf(scanned, object, i + STEP);
      }
    }
    return -1;
  }

  private static int lastOf(@Nullable Object[] scanned, Object object, int end) {
    int i = end - 1;
    while (scanned[i] != object) {
      i--;
    }
    return i;
  }

  private int findByIndex(Object object) {
    return index.get(slotOf(object));
  }

  /**
   * The object's handle, or -1 if it had none and has now got the next number: {@link #find} and
   * {@link #assign} with one look-up.
   */
  public int findOrAssign(Object object) {
    if (!isInIndex(object)) {
      int found = findByScan(object);
      if (found < 0) {
        assignScanned(object);
      }
      return found;
    }
    return findOrAssignHashed(object, hash(object));
  }

  /** As {@link #findOrAssign(Object)}, for an object with this {@linkplain Contents hash}. */
  public int findOrAssign(Object object, int contentHash) {
    return indexed && !byIdentity ? findOrAssignHashed(object, contentHash) : findOrAssign(object);
  }

  /** Whether content hashes are asked for now. */
  public boolean usesContents() {
    return indexed && !byIdentity;
  }

  private int hash(Object object) {
    return contents == null || byIdentity || isValue(object)
        ? hashOfValue(object)
        : contents.hash(object);
  }

  /** From now on, until {@link #clear}, all objects but strings and boxes go by their identity. */
  public void toIdentity() {
    if (!byIdentity) {
      byIdentity = true;
      renewIndex();
    }
  }

  /** Indexes all objects again, as the hashes of some have changed. */
  public void renewIndex() {
    if (indexed) {
      valuesIndexed = false;
      makeIndex(true, size);
    }
  }

  /** As {@link #findOrAssign(Object)}, for a string. */
  public int findOrAssignText(String text) {
    return valuesIndexed ? findOrAssignHashed(text, hashOfText(text)) : findOrAssign(text);
  }

  /** As {@link #findOrAssign(Object)}, for a frequent box with this hash code. */
  public int findOrAssignValue(Object box, int hash) {
    return valuesIndexed ? findOrAssignHashed(box, hash) : findOrAssign(box);
  }

  /* Most objects are new, and find a slot free among the first. */
  private int findOrAssignHashed(Object object, int hash) {
    char[] slots = index.narrow();
    int number = size;
    if (number < room && slots != null) {
      @Nullable Object[] numbered = objects;
      int slot = slotOrFound(slots, index.mask(), hash, numbered, object);
      if (slot >= 0) {
        numbered[number] = object;
        slots[slot] = (char) (number + 1);
        size = number + 1;
        return -1;
      }
      if (slot != UNSURE) {
        return ~slot;
      }
      if (contents != null && !byIdentity && !isValue(object)) {
        contents.crowded(object);
      }
    }
    return findOrAssignFurther(object);
  }

  private int findOrAssignFurther(Object object) {
    int slot = slotOf(object);
    int found = index.get(slot);
    if (found >= 0) {
      return found;
    }
    if (size < room) {
      objects[size] = object;
      index.set(slot, size++);
    } else {
      assign(object);
    }
    return -1;
  }

  /**
   * {@link #findOrAssign(Object)} for several objects, at less cost for each. Null takes no number.
   *
   * @param found gets the result for each; {@link #NULL} for null
   * @return how many objects are new
   */
  public int findOrAssignAll(@Nullable Object[] objects, int from, int to, int[] found) {
    makeRoom(to - from);
    char[] slots = valuesIndexed ? index.narrow() : null;
    int before = size;
    int i = from;
    while (i < to) {
      if (slots != null) {
        i = assignNew(objects, i, to, found, slots);
      }
      if (i < to) {
        Object object = objects[i];
        found[i++] = object == null ? NULL : findOrAssign(object);
      }
    }
    return size - before;
  }

  /**
   * Assigns numbers to objects that are new at the first probes, and go by their identity or value.
   * There is no call in the loop, so that its variables stay in registers.
   *
   * @return the index of the first other object
   */
  private int assignNew(@Nullable Object[] some, int from, int to, int[] found, char[] slots) {
    @Nullable Object[] numbered = objects;
    int mask = index.mask();
    int number = size;
    boolean all = indexed && byIdentity;
    int i = from;
    for (; i < to; i++) {
      Object object = some[i];
      if (object == null || !all && !isValue(object)) {
        break;
      }
      int slot = slotOrFound(slots, mask, hashOfValue(object), numbered, object);
      if (slot < 0) {
        break;
      }
      numbered[number++] = object;
      slots[slot] = (char) number;
      found[i] = NEW;
    }
    size = number;
    return i;
  }

  /**
   * Gives the next numbers to elements of an array, as long as they are of one class and new at the
   * first probes.
   *
   * @param most upper bound of the elements
   * @param type not that of strings and boxes
   * @param hashes the content hash of each; null for a class without
   * @return how many have got a number; {@link #get} returns them
   */
  public int assignNew(
      @Nullable Object[] elements, int from, int most, Class<?> type, int @Nullable [] hashes) {
    makeRoom(most);
    char[] slots = indexed ? index.narrow() : null;
    if (slots == null) {
      return 0;
    }
    @Nullable Object[] numbered = objects;
    int mask = index.mask();
    int first = size;
    int number = first;
    for (int i = from; i < from + most; i++) {
      Object element = elements[i];
      if (element == null || element.getClass() != type) {
        break;
      }
      int hash = hashes == null ? System.identityHashCode(element) : hashes[i - from];
      int slot = slotOrFound(slots, mask, hash, numbered, element);
      if (slot < 0) {
        break;
      }
      numbered[number++] = element;
      slots[slot] = (char) number;
    }
    size = number;
    return number - first;
  }

  /**
   * Gives the next numbers to elements of a list, as long as they are new objects of one class: one
   * without content, or that of strings or boxes.
   *
   * @param most upper bound of the elements, not beyond the list's size
   * @return how many have got a number
   */
  public int assignNew(List<?> elements, int from, int most, Class<?> type) {
    makeRoom(most);
    int end = from + most;
    int next = from;
    while (next < end) {
      next = assignFree(elements, next, end, type);
      Object element = next < Math.min(end, elements.size()) ? elements.get(next) : null;
      if (element == null || element.getClass() != type || findOrAssign(element) >= 0) {
        break;
      }
      next++;
    }
    return next - from;
  }

  /**
   * As {@link #assignNew(List, int, int, Class)}, as long as elements are new at the first probes.
   */
  private int assignFree(List<?> elements, int from, int to, Class<?> type) {
    char[] slots = indexed || valuesIndexed ? index.narrow() : null;
    if (slots == null) {
      return from;
    }
    @Nullable Object[] numbered = objects;
    int mask = index.mask();
    int number = size;
    int i = from;
    for (; i < to && i < elements.size(); i++) {
      Object element = elements.get(i);
      if (element == null || element.getClass() != type || !indexed && !isValue(element)) {
        break;
      }
      int slot = slotOrFound(slots, mask, hashOfValue(element), numbered, element);
      if (slot < 0) {
        break;
      }
      numbered[number++] = element;
      slots[slot] = (char) number;
    }
    size = number;
    return i;
  }

  /* For loops of a caller's own. */

  /**
   * The slots of strings and frequent boxes, in which {@link #slotOrFound} looks; none if they are
   * not in use, or in another form. A slot holds one more than an object's number.
   */
  public char[] valueSlots() {
    char[] slots = valuesIndexed ? index.narrow() : null;
    return slots == null ? NO_SLOTS : slots;
  }

  /** Mask of the slots. */
  public int mask() {
    return index.mask();
  }

  /** Size up to which the caller may add objects. */
  public int room() {
    return valueSlots().length == 0 ? 0 : room;
  }

  /** Takes over objects that the caller has stored in {@link #objects}, and in the slots. */
  public void grownTo(int newSize) {
    size = newSize;
  }

  /** The slot for a new object; ~ the number of a known one; {@link #UNSURE} after all probes. */
  public static int slotOrFound(
      char[] slots, int mask, int hash, @Nullable Object[] numbered, Object object) {
    int slot = Hashes.spread(hash) & mask;
    for (int i = 0; i < TRIED_BY_VALUE; i++) {
      int taken = slots[slot];
      if (taken == 0) {
        return slot;
      }
      if (numbered[taken - 1] == object) {
        return -taken;
      }
      slot = slot + 1 & mask;
    }
    return UNSURE;
  }

  /** The objects by their numbers, until the next change; not to be modified. */
  public @Nullable Object[] objects() {
    return objects;
  }

  /** The object with this number; null if there is none. */
  public @Nullable Object get(int number) {
    return objects[number];
  }

  /** Says how many objects the first message probably has; 0 if nothing is known. */
  public void begin(int probable) {
    if (probable > 0 && objects.length == 0) {
      lastSize = Math.min(probable, MAXIMUM_PROBABLE);
      scannedValues = probable > SCANNED ? SCANNED_VALUES : SCANNED;
      objects = new @Nullable Object[lastSize + STEP - 1 & -STEP];
      setRoom();
    }
  }

  /** Makes room for objects that may be new, as far as no more than usual memory is needed. */
  public void expect(int count) {
    makeRoom(Math.min(count, MAXIMUM_EXPECTED));
  }

  /** Makes array and index large enough for this many new objects. */
  private void makeRoom(int count) {
    int most = size + count;
    if (most > objects.length) {
      int length = Math.max(most + STEP - 1 & -STEP, 2 * objects.length);
      objects = Arrays.copyOf(objects, length);
      setRoom();
    }
    if (most > SCANNED && (!indexed || most > room)) {
      makeIndex(true, most);
    } else if (most > scannedValues && !valuesIndexed) {
      makeIndex(false, most);
    }
  }

  /* Apart, so that the frequent case is inlined. */
  private void assignScanned(Object object) {
    @Nullable Object[] numbered = objects;
    int number = size;
    if (number < numbered.length && number < scannedValues) {
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
      objects = Arrays.copyOf(objects, Math.max(INITIAL_CAPACITY, 2 * number));
      setRoom();
    }
    objects[number] = object;
    size = number + 1;
    if (indexed && size > index.mask() / 2 || !indexed && number >= SCANNED) {
      makeIndex(true, size);
    } else if (object != null && isInIndex(object)) {
      insert(object, number);
    } else if (number >= scannedValues && isValue(object)) {
      makeIndex(false, size);
    }
    return number;
  }

  /** As {@link #assign}, for what is neither a string nor a box. */
  public int assignOther(@Nullable Object object) {
    int number = size;
    if (indexed || number >= SCANNED || number == objects.length) {
      return assign(object);
    }
    objects[number] = object;
    size = number + 1;
    return number;
  }

  private void setRoom() {
    int most = Math.min(objects.length, (index.mask() + 1) / 2);
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
      makeIndex(true, size);
    }
  }

  /** Forgets everything; numbers start at 0 again. */
  public void clear() {
    lastSize = Math.min(size, OBJECTS_TO_KEEP);
    scannedValues = size > SCANNED ? SCANNED_VALUES : SCANNED;
    left -= size;
    if (left < 0 || objects.length > OBJECTS_TO_KEEP) {
      renew();
    } else {
      Slots.clear(objects, size);
    }
    size = 0;
    valuesIndexed = false;
    indexed = false;
    byIdentity = contents == null;
    beginTexts();
  }

  private void renew() {
    int length = objects.length;
    if (length > OBJECTS_TO_KEEP) {
      length = INITIAL_CAPACITY;
      index = NO_INDEX;
    }
    objects = new @Nullable Object[length];
    left = Slots.lifeOf(length);
  }

  /** The slot where the object is, or else would be. */
  private int slotOf(Object object) {
    return isValue(object) || !byIdentity
        ? slotByHash(object, hash(object))
        : slotByIdentity(object);
  }

  private int slotByHash(Object object, int hash) {
    int slot = Hashes.spread(hash) & index.mask();
    for (int i = 0; i < TRIED_BY_VALUE; i++) {
      if (isFreeOrHolds(slot, object)) {
        return slot;
      }
      slot = (slot + 1) & index.mask();
    }
    return slotByIdentity(object);
  }

  private int slotByIdentity(Object object) {
    int slot = Hashes.spread(System.identityHashCode(object)) & index.mask();
    while (!isFreeOrHolds(slot, object)) {
      slot = (slot + 1) & index.mask();
    }
    return slot;
  }

  private boolean isFreeOrHolds(int slot, Object object) {
    int number = index.get(slot);
    return number < 0 || objects[number] == object;
  }

  private void insert(Object object, int number) {
    index.set(slotOf(object), number);
  }

  /**
   * Indexes strings and boxes, or all objects. The index is at most half full until there are twice
   * as many.
   */
  private void makeIndex(boolean all, int expected) {
    int most = Math.max(expected, lastSize);
    int length = (int) Math.min((long) Integer.highestOneBit(most) << 3, 1 << 30);
    /* Strings and boxes are indexed already, except the last object. */
    int firstValue = 0;
    if (index == NO_INDEX) {
      index = new NumberIndex();
    }
    if (valuesIndexed && index.mask() == length - 1) {
      firstValue = size - 1;
    } else {
      index.begin(length);
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

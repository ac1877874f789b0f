package io.karmi.uka.marshal;

import java.util.Arrays;

/**
 * The classes whose objects one stream has written, each with its marshaler and the number the
 * reader knows it by: one look here spares one in each of three tables.
 *
 * <p>Open addressing over the hash of the class, at most half full. Not thread-safe.
 */
final class KnownClasses {
  private static final int INITIAL_SLOTS = 16;

  private Known[] slots = new Known[INITIAL_SLOTS];
  private int size;

  /** A class of this JVM, how its objects are written, and the number of its type. */
  static final class Known {
    static final int NO_NUMBER = -1;

    final Class<?> type;
    final Marshaler marshaler;
    private final boolean direct;
    private int number = NO_NUMBER;

    Known(Class<?> type) {
      this.type = type;
      marshaler = Marshaler.of(type);
      direct = marshaler.isDirect();
    }

    /** Whether the marshaler can write an object with no more than the type's number. */
    boolean isDirect() {
      return direct && number != NO_NUMBER;
    }

    boolean hasNumber() {
      return number != NO_NUMBER;
    }

    int number() {
      return number;
    }

    void setNumber(int number) {
      this.number = number;
    }
  }

  /** The entry of this class. */
  Known of(Class<?> type) {
    Known[] table = slots;
    int mask = table.length - 1;
    int slot = System.identityHashCode(type) & mask;
    for (Known known = table[slot]; known != null; known = table[slot]) {
      if (known.type == type) {
        return known;
      }
      slot = (slot + 1) & mask;
    }
    return add(type);
  }

  private Known add(Class<?> type) {
    if (2 * ++size > slots.length) {
      Known[] old = slots;
      slots = new Known[2 * old.length];
      for (Known known : old) {
        if (known != null) {
          insert(known);
        }
      }
    }
    Known known = new Known(type);
    insert(known);
    return known;
  }

  private void insert(Known known) {
    int slot = System.identityHashCode(known.type) & (slots.length - 1);
    while (slots[slot] != null) {
      slot = (slot + 1) & (slots.length - 1);
    }
    slots[slot] = known;
  }

  void clear() {
    if (size > 0) {
      Arrays.fill(slots, null);
      size = 0;
    }
  }
}

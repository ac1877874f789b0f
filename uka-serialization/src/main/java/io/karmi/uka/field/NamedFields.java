package io.karmi.uka.field;

import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.nio.ByteOrder;

/**
 * All serializable fields that a local class declares, as the JDK's default methods pass them: by
 * name, in canonical order. Their values are a block of primitives and an array of references.
 */
final class NamedFields {
  final BlockLayout block;

  private final String[] names;

  private NamedFields(String[] names, BlockLayout block) {
    this.names = names;
    this.block = block;
  }

  /** The fields of a class; numbers have full width. */
  static NamedFields of(Class<?> declaring, ByteOrder order) {
    ObjectStreamField[] fields = ObjectStreamClass.lookup(declaring).getFields();
    String[] names = new String[fields.length];
    StringBuilder codes = new StringBuilder();
    for (int i = 0; i < fields.length; i++) {
      names[i] = fields[i].getName();
      if (fields[i].isPrimitive()) {
        codes.append(fields[i].getTypeCode());
      }
    }
    return new NamedFields(names, new BlockLayout(codes.toString(), order, NumberWidth.FULL));
  }

  NamedFields withWidth(NumberWidth width) {
    return new NamedFields(names, block.withWidth(width));
  }

  int count() {
    return names.length;
  }

  /** Number of references. */
  int references() {
    return names.length - block.offsets.length;
  }

  /** Offset of a primitive in the block; index of a reference among the references. */
  int place(int field) {
    int primitives = block.offsets.length;
    return field < primitives ? block.offsets[field] : field - primitives;
  }

  /**
   * Index of a field; -1 if there is none.
   *
   * @param guess index that it very likely has: the JDK asks in order, by the same strings
   */
  @SuppressWarnings({"StringEquality", "ReferenceEquality"}) // the fast way to the same answer
  int indexOf(String name, int guess) {
    if (guess < names.length && names[guess] == name) {
      return guess;
    }
    for (int i = 0; i < names.length; i++) {
      if (names[i].equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /** Places of one object's fields, for one thread: the JDK asks for them in order. */
  static final class Cursor {
    private int next;

    /** Begins a new object. */
    void reset() {
      next = 0;
    }

    /** Where the value of a field is. */
    int place(NamedFields fields, String name) {
      int index = fields.indexOf(name, next);
      if (index < 0) {
        throw new IllegalArgumentException("no such field: " + name);
      }
      next = index + 1;
      return fields.place(index);
    }
  }
}

package io.karmi.uka.field;

import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.nio.ByteOrder;

/**
 * All serializable fields that a local class declares, as the JDK's default methods pass them: by
 * name, in canonical order. Their values are a block of primitives and an array of references.
 */
final class LocalFields {
  final BlockLayout block;

  private final String[] names;

  private LocalFields(String[] names, BlockLayout block) {
    this.names = names;
    this.block = block;
  }

  /** The fields of a class; numbers have full width. */
  static LocalFields of(Class<?> declaring, ByteOrder order) {
    ObjectStreamField[] fields = ObjectStreamClass.lookup(declaring).getFields();
    String[] names = new String[fields.length];
    StringBuilder codes = new StringBuilder();
    for (int i = 0; i < fields.length; i++) {
      names[i] = fields[i].getName();
      if (fields[i].isPrimitive()) {
        codes.append(fields[i].getTypeCode());
      }
    }
    return new LocalFields(names, new BlockLayout(codes.toString(), order, NumberWidth.FULL));
  }

  LocalFields withWidth(NumberWidth width) {
    return new LocalFields(names, block.withWidth(width));
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
}

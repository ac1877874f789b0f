package io.karmi.stubgen.emit;

import org.objectweb.asm.Type;

/** Kinds of types that the runtime distinguishes: the primitive types, and objects. */
enum Kind {
  VOID("void", "V"),
  BOOLEAN("Boolean", "Z"),
  BYTE("Byte", "B"),
  CHAR("Char", "C"),
  SHORT("Short", "S"),
  INT("Int", "I"),
  LONG("Long", "J"),
  FLOAT("Float", "F"),
  DOUBLE("Double", "D"),
  OBJECT("Object", "Ljava/lang/Object;");

  /** As a field of an arguments object, and as what the runtime's methods take and return. */
  final String descriptor;

  private final String word;

  Kind(String word, String descriptor) {
    this.word = word;
    this.descriptor = descriptor;
  }

  static Kind of(Type type) {
    for (Kind kind : values()) {
      if (kind.descriptor.equals(type.getDescriptor())) {
        return kind;
      }
    }
    return OBJECT;
  }

  Type type() {
    return Type.getType(descriptor);
  }

  /** {@code writeInt} of a call output. */
  String writer() {
    return "write" + word;
  }

  /** Type that the writer takes: as in java.io, an int for the types narrower than itself. */
  String writerDescriptor() {
    switch (this) {
      case BYTE, CHAR, SHORT -> {
        return "(I)V";
      }
      default -> {
        return "(" + descriptor + ")V";
      }
    }
  }

  /** {@code readInt} of a call input. */
  String reader() {
    return "read" + word;
  }

  /** {@code intApplicationCall} of a reference. */
  String applicationCall() {
    return Character.toLowerCase(word.charAt(0)) + word.substring(1) + "ApplicationCall";
  }
}

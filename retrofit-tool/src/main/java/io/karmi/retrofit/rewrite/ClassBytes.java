package io.karmi.retrofit.rewrite;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reader of a class file in place: its constants, its superclass and the offsets of its members.
 * With it the agent decides whether to change a class, without ASM.
 *
 * <p>For a broken class file any method may throw an {@link IndexOutOfBoundsException} or an {@link
 * IllegalArgumentException}. Not thread-safe.
 */
final class ClassBytes {
  static final int UTF8 = 1;
  static final int CLASS = 7;
  static final int METHOD = 10;
  static final int METHOD_HANDLE = 15;

  /** Kind of a method handle for {@code new}. */
  static final int NEW_INVOKE_SPECIAL = 8;

  private static final int HEADER_BYTES = 10;

  /** Bytes of an attribute before its content. */
  static final int ATTRIBUTE_HEADER = 6;

  final byte[] bytes;

  /** Offset of each constant's tag; 0 for the second number of a wide one. */
  private final int[] constants;

  /** Offset of the first byte after the constants: the access flags. */
  final int endOfConstants;

  private @Nullable String name;
  private final int fields;

  ClassBytes(byte[] classFile) {
    bytes = classFile;
    constants = new int[u2(8)];
    int position = HEADER_BYTES;
    for (int i = 1; i < constants.length; i++) {
      constants[i] = position;
      int tag = classFile[position];
      if (tag == UTF8) {
        position += 3 + u2(classFile, position + 1);
      } else {
        position += lengthOf(tag);
        i += isWide(tag) ? 1 : 0;
      }
    }
    endOfConstants = position;
    fields = position + 8 + 2 * u2(position + 6);
  }

  private static int lengthOf(int tag) {
    int length = constantBytes(tag);
    if (length == 0) {
      throw new IllegalArgumentException(
          "broken class file: constant of kind ".concat(String.valueOf(tag)));
    }
    return length;
  }

  /** Size of a constant with its tag, in bytes; 0 for a string and for unknown tags. */
  static int constantBytes(int tag) {
    return switch (tag) {
      case 3, 4, 9, 10, 11, 12, 17, 18 -> 5; // int, float, members, types, dynamic
      case 5, 6 -> 9; // long, double
      case 7, 8, 16, 19, 20 -> 3; // class, string, method type, module, package
      case 15 -> 4; // method handle
      default -> 0;
    };
  }

  /** Whether the constant is a long or double, which take two numbers. */
  static boolean isWide(int tag) {
    return tag == 5 || tag == 6;
  }

  int constantCount() {
    return constants.length;
  }

  /** Offset of the number of the superclass's constant. */
  int superAt() {
    return endOfConstants + 4;
  }

  String name() {
    String known = name;
    if (known == null) {
      known = className(u2(endOfConstants + 2));
      name = known;
    }
    return known;
  }

  /** Null for Object and module descriptors. */
  @Nullable String superName() {
    int constant = u2(superAt());
    return constant == 0 ? null : className(constant);
  }

  int tag(int constant) {
    return constants[constant] == 0 ? 0 : bytes[constants[constant]];
  }

  /** Offset of a constant's content, behind its tag. */
  int content(int constant) {
    if (constants[constant] == 0) {
      throw new IllegalArgumentException(
          "broken class file: no constant ".concat(String.valueOf(constant)));
    }
    return constants[constant] + 1;
  }

  String className(int constant) {
    return text(u2(content(constant)));
  }

  String text(int constant) {
    int at = content(constant);
    return new String(bytes, at + 2, u2(at), StandardCharsets.UTF_8);
  }

  boolean isText(int constant, byte[] text) {
    int at = content(constant);
    return u2(at) == text.length && matches(text, bytes, at + 2);
  }

  /** The number of the class constant of a field or method constant. */
  int owner(int member) {
    return u2(content(member));
  }

  /** The name of a field or method constant. */
  String memberName(int member) {
    return text(memberNameAt(member));
  }

  /** The number of the constant of that name. */
  int memberNameAt(int member) {
    return u2(content(u2(content(member) + 2)));
  }

  /** Whether a method constant names this method. */
  boolean refersTo(String owner, String name) {
    for (int i = 1; i < constants.length; i++) {
      if (tag(i) == METHOD && memberName(i).equals(name) && className(owner(i)).equals(owner)) {
        return true;
      }
    }
    return false;
  }

  boolean declares(String method) {
    int position = methods();
    int count = u2(position);
    position += 2;
    for (int i = 0; i < count; i++) {
      if (text(u2(position + 2)).equals(method)) {
        return true;
      }
      position = endOfMember(position);
    }
    return false;
  }

  /** Offset of the number of methods, which the methods follow. */
  int methods() {
    return endOfMembers(fields);
  }

  /** Offset of the number of the class's attributes, which follow. */
  int attributes() {
    return endOfMembers(methods());
  }

  /** Refuses a class file that does not end with its last part. */
  void requireWhole() {
    int position = attributes() + 2;
    for (int i = u2(position - 2); i > 0; i--) {
      position = endOfAttribute(position);
    }
    if (position != bytes.length) {
      throw new IllegalArgumentException("broken class file: not as long as its parts");
    }
  }

  private int endOfMembers(int members) {
    int position = members + 2;
    for (int i = u2(members); i > 0; i--) {
      position = endOfMember(position);
    }
    return position;
  }

  /** Offset behind the field or method at this one. */
  int endOfMember(int member) {
    int position = member + 8;
    for (int i = u2(member + 6); i > 0; i--) {
      position = endOfAttribute(position);
    }
    return position;
  }

  int endOfAttribute(int attribute) {
    int length = u4(attribute + 2);
    if (length < 0 || length > bytes.length - attribute - ATTRIBUTE_HEADER) {
      throw new IllegalArgumentException(
          "broken class file: attribute of length ".concat(Integer.toUnsignedString(length)));
    }
    return attribute + ATTRIBUTE_HEADER + length;
  }

  int u1(int position) {
    return bytes[position] & 0xff;
  }

  int u2(int position) {
    return u2(bytes, position);
  }

  int u4(int position) {
    return u2(position) << 16 | u2(position + 2);
  }

  static int u2(byte[] bytes, int position) {
    return (bytes[position] & 0xff) << 8 | bytes[position + 1] & 0xff;
  }

  /** Whether these bytes are at this position, behind which there are as many. */
  static boolean matches(byte[] name, byte[] bytes, int position) {
    for (int i = name.length - 1; i >= 0; i--) {
      if (name[i] != bytes[position + i]) {
        return false;
      }
    }
    return true;
  }
}

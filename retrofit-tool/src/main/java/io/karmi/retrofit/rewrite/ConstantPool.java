package io.karmi.retrofit.rewrite;

import java.nio.charset.StandardCharsets;
import java.util.Collection;

/**
 * Looks for names among the strings of a class file's constant pool, without ASM.
 *
 * <p>This decides for each class that a program loads whether ASM is engaged at all. Strings are
 * compared by length and first byte before anything else; malformed class files mention nothing and
 * are left to the JVM to refuse.
 */
final class ConstantPool {
  private static final int HEADER_BYTES = 10;

  private final byte[][] names;

  /** Bit n is set if some name has n bytes, n modulo 64. */
  private final long lengths;

  ConstantPool(Collection<String> names) {
    this.names = new byte[names.size()][];
    long lengths = 0;
    int i = 0;
    for (String name : names) {
      byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
      this.names[i++] = bytes;
      lengths |= 1L << bytes.length;
    }
    this.lengths = lengths;
  }

  /** Whether any of the names is a whole string of the constant pool. */
  boolean isMentionedIn(byte[] classFile) {
    if (classFile.length < HEADER_BYTES) {
      return false;
    }
    int count = u2(classFile, 8);
    int position = HEADER_BYTES;
    for (int i = 1; i < count; i++) {
      if (position + 3 > classFile.length) {
        return false;
      }
      switch (classFile[position]) {
        case 1 -> { // Utf8
          int length = u2(classFile, position + 1);
          position += 3;
          if (position + length > classFile.length) {
            return false;
          }
          if ((lengths >>> length & 1) != 0 && isName(classFile, position, length)) {
            return true;
          }
          position += length;
        }
        case 3, 4, 9, 10, 11, 12, 17, 18 -> position += 5; // int, float, members, types, dynamic
        case 5, 6 -> { // long and double take two slots
          position += 9;
          i++;
        }
        case 7, 8, 16, 19, 20 -> position += 3; // class, string, method type, module, package
        case 15 -> position += 4; // method handle
        default -> {
          return false;
        }
      }
    }
    return false;
  }

  private boolean isName(byte[] classFile, int position, int length) {
    for (byte[] name : names) {
      if (name.length == length
          && name[0] == classFile[position]
          && equal(name, classFile, position)) {
        return true;
      }
    }
    return false;
  }

  private static boolean equal(byte[] name, byte[] classFile, int position) {
    for (int i = name.length - 1; i > 0; i--) {
      if (name[i] != classFile[position + i]) {
        return false;
      }
    }
    return true;
  }

  private static int u2(byte[] bytes, int position) {
    return (bytes[position] & 0xff) << 8 | bytes[position + 1] & 0xff;
  }
}

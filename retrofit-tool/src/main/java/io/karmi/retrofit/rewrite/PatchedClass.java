package io.karmi.retrofit.rewrite;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Copy of a class file in which numbers are replaced and constants appended, without ASM. Not
 * thread-safe.
 */
final class PatchedClass {
  private static final int MAXIMUM_CONSTANTS = 65535;

  private static final int CONSTANT_COUNT_AT = 8;

  private final ClassBytes file;
  private final byte[] patched;
  private final ByteArrayOutputStream added = new ByteArrayOutputStream();
  private int constantCount;

  PatchedClass(ClassBytes file) {
    this.file = file;
    patched = file.bytes.clone();
    constantCount = file.constantCount();
  }

  /** Replaces a number of two bytes. */
  void put(int at, int value) {
    patched[at] = (byte) (value >>> 8);
    patched[at + 1] = (byte) value;
  }

  /** Adds a string; returns its number. */
  int text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    added.write(ClassBytes.UTF8);
    write(bytes.length);
    added.write(bytes, 0, bytes.length);
    return constantCount++;
  }

  /** Adds a class; returns its number. */
  int addClass(String name) {
    int text = text(name);
    added.write(ClassBytes.CLASS);
    write(text);
    return constantCount++;
  }

  private void write(int value) {
    added.write(value >>> 8);
    added.write(value);
  }

  byte[] toByteArray() {
    if (constantCount > MAXIMUM_CONSTANTS) {
      throw new IllegalArgumentException("its constant pool is full");
    }
    put(CONSTANT_COUNT_AT, constantCount);
    byte[] constants = added.toByteArray();
    byte[] whole = new byte[patched.length + constants.length];
    int split = file.endOfConstants;
    System.arraycopy(patched, 0, whole, 0, split);
    System.arraycopy(constants, 0, whole, split, constants.length);
    System.arraycopy(patched, split, whole, split + constants.length, patched.length - split);
    return whole;
  }
}

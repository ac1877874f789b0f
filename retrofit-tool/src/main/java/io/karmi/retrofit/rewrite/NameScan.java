package io.karmi.retrofit.rewrite;

import java.nio.charset.StandardCharsets;
import java.util.Collection;

/**
 * Search for names among the strings of a class file's constant pool, which decides for each loaded
 * class whether anything has to be done.
 *
 * <p>One pass looks for the names of all groups, by length first. Malformed class files have no
 * names; the JVM will refuse them. Thread-safe once all names have been added.
 */
final class NameScan {
  private static final int HEADER_BYTES = 10;

  /** Upper bound of the length of a name, in bytes. */
  private static final int LENGTHS = 64;

  /** Size of each kind of constant with its tag, in bytes; 0 for strings and unknown tags. */
  private static final byte[] CONSTANT_BYTES = new byte[21];

  /** Size of a long or double with its tag, which take two numbers. */
  private static final int WIDE_BYTES = 9;

  static {
    for (int tag = 0; tag < CONSTANT_BYTES.length; tag++) {
      CONSTANT_BYTES[tag] = (byte) ClassBytes.constantBytes(tag);
    }
  }

  /** By length in bytes; null where no name has that length. */
  private final byte[][][] names = new byte[LENGTHS][][];

  /** The group of each name. */
  private final int[][] groups = new int[LENGTHS][];

  /**
   * Adds names to look for.
   *
   * @param group one bit
   */
  void add(int group, Collection<String> added) {
    for (String name : added) {
      add(group, name.getBytes(StandardCharsets.UTF_8));
    }
  }

  private void add(int group, byte[] name) {
    int length = name.length;
    int count = names[length] == null ? 0 : names[length].length;
    byte[][] longerNames = new byte[count + 1][];
    int[] longerGroups = new int[count + 1];
    if (count > 0) {
      System.arraycopy(names[length], 0, longerNames, 0, count);
      System.arraycopy(groups[length], 0, longerGroups, 0, count);
    }
    longerNames[count] = name;
    longerGroups[count] = group;
    names[length] = longerNames;
    groups[length] = longerGroups;
  }

  /**
   * The groups of which a name is a whole string of the constant pool, as a set of bits.
   *
   * <p>One loop without calls: most of a program's classes pass here before it is compiled.
   */
  int in(byte[] classFile) {
    int found = 0;
    int end = classFile.length - 2;
    int count = end < HEADER_BYTES ? 0 : ClassBytes.u2(classFile, 8);
    int position = HEADER_BYTES;
    byte[][][] names = this.names;
    for (int i = 1; i < count; i++) {
      if (position >= end) {
        return 0;
      }
      int tag = classFile[position];
      if (tag == ClassBytes.UTF8) {
        int length = (classFile[position + 1] & 0xff) << 8 | classFile[position + 2] & 0xff;
        position += 3;
        if (length < LENGTHS && names[length] != null && position + length <= classFile.length) {
          found |= groups(classFile, position, length);
        }
        position += length;
      } else {
        int bytes = tag < 0 || tag >= CONSTANT_BYTES.length ? 0 : CONSTANT_BYTES[tag];
        if (bytes == 0) {
          return 0;
        }
        position += bytes;
        if (bytes == WIDE_BYTES) {
          i++;
        }
      }
    }
    return position <= classFile.length ? found : 0;
  }

  private int groups(byte[] classFile, int position, int length) {
    int found = 0;
    byte[][] candidates = names[length];
    for (int i = 0; i < candidates.length; i++) {
      if (ClassBytes.matches(candidates[i], classFile, position)) {
        found |= groups[length][i];
      }
    }
    return found;
  }
}

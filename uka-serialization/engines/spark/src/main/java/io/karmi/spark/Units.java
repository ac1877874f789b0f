package io.karmi.spark;

/**
 * The bytes of a block.
 *
 * <p>A block of an application without relocation is one UKA stream, from its header (whose first
 * byte is {@link #STREAM}) to its end; the class of an object is described at its first use, and
 * objects are known for some records.
 *
 * <p>With relocation it is a sequence of units. Each can be moved to another place or another
 * block; Spark cuts blocks where it has flushed, and a flush ends a unit.
 *
 * <pre>
 *   +-----------+----------------+-----------------+
 *   | kind: u8  | n: number      | n bytes         |    any number of times
 *   +-----------+----------------+-----------------+
 * </pre>
 *
 * The kinds are
 *
 * <ul>
 *   <li>{@link #TABLE}: objects one after the other as in an embedded UKA stream, handles from 0,
 *       whose type numbers are those of the application's {@link ClassTable};
 *   <li>{@link #ALONE}: the same without the table: types are described in the unit;
 *   <li>{@link #PART} and {@link #LAST_PART}: a UKA stream in parts, for what Spark writes as a
 *       whole, such as a cached partition or a broadcast.
 * </ul>
 */
final class Units {
  /** The first byte of a UKA stream's header. */
  static final int STREAM = 'U';

  /** The first byte of a stream in the JDK's format, as Spark's JavaSerializer writes it. */
  static final int JDK_STREAM = 0xAC;

  static final int TABLE = 0xE0;
  static final int ALONE = 0xE1;
  static final int PART = 0xE2;
  static final int LAST_PART = 0xE3;

  /** The longest head of a unit: its kind, and the length in up to five bytes. */
  static final int HEAD_BYTES = 6;

  /** A unit ends when it has grown beyond this many bytes. */
  static final int FULL_BYTES = 1 << 16;

  private Units() {}

  /**
   * Puts the head of a unit in front of its bytes.
   *
   * @param bytes has {@link #HEAD_BYTES} of room before {@code HEAD_BYTES}
   * @return where the head begins
   */
  static int putHead(byte[] bytes, int kind, int length) {
    int size = 1;
    for (int rest = length >>> 7; rest != 0; rest >>>= 7) {
      size++;
    }
    int begin = HEAD_BYTES - size - 1;
    bytes[begin] = (byte) kind;
    int rest = length;
    for (int i = 1; i < size; i++, rest >>>= 7) {
      bytes[begin + i] = (byte) (rest | 0x80);
    }
    bytes[begin + size] = (byte) rest;
    return begin;
  }
}

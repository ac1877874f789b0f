package io.karmi.uka.field;

import io.karmi.uka.platform.PrimitiveBlock;
import io.karmi.uka.platform.TypeCode;

/**
 * Width of an object's fields of type {@code int} and {@code long} in its block of primitives, the
 * same for all, so that the block still moves at once. In the UKA format the type has a number for
 * each width, in this order.
 */
public enum NumberWidth {
  /** As in memory. */
  FULL,
  /** Two bytes for an {@code int}, four for a {@code long}. */
  HALF,
  /** One byte. */
  BYTE;

  /** Whether a primitive of this type code is a whole number. */
  public static boolean isNumber(char code) {
    return code == 'I' || code == 'J';
  }

  /** Size of a primitive of this type code, in bytes. */
  public int sizeOf(char code) {
    int full = TypeCode.sizeOf(code);
    if (this == FULL || !isNumber(code)) {
      return full;
    }
    return this == HALF ? full / 2 : 1;
  }

  /** The {@code int} at a place of a little-endian block. */
  int intAt(byte[] block, int place) {
    return switch (this) {
      case FULL -> PrimitiveBlock.getInt(block, place);
      case HALF -> PrimitiveBlock.getShort(block, place);
      case BYTE -> block[place];
    };
  }

  /** The {@code long} at a place of a little-endian block. */
  long longAt(byte[] block, int place) {
    return switch (this) {
      case FULL -> PrimitiveBlock.getLong(block, place);
      case HALF -> PrimitiveBlock.getInt(block, place);
      case BYTE -> block[place];
    };
  }

  /** Size of a block of primitives of these type codes, in bytes. */
  public int sizeOf(String codes) {
    int sum = 0;
    for (int i = 0; i < codes.length(); i++) {
      sum += sizeOf(codes.charAt(i));
    }
    return sum;
  }

  /**
   * Copies a little-endian block of primitives, with numbers of another width; higher bits are
   * lost. A narrower copy may overlap the block.
   *
   * @param codes of the primitives
   * @return the size of the copy, in bytes
   */
  public int copy(
      byte[] from, int fromStart, String codes, NumberWidth to, byte[] copy, int start) {
    int source = fromStart;
    int target = start;
    for (int i = 0; i < codes.length(); i++) {
      int size = sizeOf(codes.charAt(i));
      int newSize = to.sizeOf(codes.charAt(i));
      put(copy, target, newSize, get(from, source, size));
      source += size;
      target += newSize;
    }
    return target - start;
  }

  /** The narrowest width that fits all numbers of a block of full width. */
  static NumberWidth fitting(byte[] block, int start, String codes) {
    long forHalf = 0;
    long forByte = 0;
    int position = start;
    for (int i = 0; i < codes.length(); i++) {
      int size = TypeCode.sizeOf(codes.charAt(i));
      if (isNumber(codes.charAt(i))) {
        long value = get(block, position, size);
        long bits = value ^ value >> Long.SIZE - 1;
        forByte |= bits >>> Byte.SIZE - 1;
        forHalf |= bits >>> Byte.SIZE * size / 2 - 1;
      }
      position += size;
    }
    return forByte == 0 ? BYTE : forHalf == 0 ? HALF : FULL;
  }

  private static long get(byte[] bytes, int position, int size) {
    return switch (size) {
      case 1 -> PrimitiveBlock.getByte(bytes, position);
      case 2 -> PrimitiveBlock.getShort(bytes, position);
      case 4 -> PrimitiveBlock.getInt(bytes, position);
      default -> PrimitiveBlock.getLong(bytes, position);
    };
  }

  private static void put(byte[] bytes, int position, int size, long value) {
    switch (size) {
      case 1 -> PrimitiveBlock.putByte(bytes, position, (int) value);
      case 2 -> PrimitiveBlock.putShort(bytes, position, (int) value);
      case 4 -> PrimitiveBlock.putInt(bytes, position, (int) value);
      default -> PrimitiveBlock.putLong(bytes, position, value);
    }
  }
}

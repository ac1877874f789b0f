package io.karmi.uka.strategy;

import io.karmi.uka.field.ContentHash;
import java.lang.reflect.Array;

/**
 * Hash of arrays of one primitive type: of their length, and of elements at the start, in the
 * middle and at the end.
 */
final class ArrayContent extends ContentHash {
  /** Elements below which all are hashed. */
  private static final int FEW = 5;

  private final char code;

  /**
   * @param code type code of the elements
   */
  ArrayContent(char code) {
    this.code = code;
  }

  @Override
  public boolean hasContent() {
    return true;
  }

  @Override
  public int contentHash(Object array) {
    int length = Array.getLength(array);
    long sum = length;
    if (length < FEW) {
      for (int i = 0; i < length; i++) {
        sum = 31 * sum + bits(array, i);
      }
      return mix(sum);
    }
    sum = 31 * sum + bits(array, 0);
    sum = 31 * sum + bits(array, 1);
    sum = 31 * sum + bits(array, length / 2);
    sum = 31 * sum + bits(array, length - 2);
    return mix(31 * sum + bits(array, length - 1));
  }

  private long bits(Object array, int index) {
    return switch (code) {
      case 'B' -> ((byte[]) array)[index];
      case 'C' -> ((char[]) array)[index];
      case 'I' -> ((int[]) array)[index];
      case 'J' -> ((long[]) array)[index];
      case 'D' -> Double.doubleToRawLongBits(((double[]) array)[index]);
      case 'F' -> Float.floatToRawIntBits(((float[]) array)[index]);
      case 'S' -> ((short[]) array)[index];
      default -> ((boolean[]) array)[index] ? 1 : 0;
    };
  }
}

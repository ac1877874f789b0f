package io.karmi.uka.strategy;

import io.karmi.uka.field.ContentHash;

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
    return switch (code) {
      case 'B' -> hash((byte[]) array);
      case 'C' -> hash((char[]) array);
      case 'I' -> hash((int[]) array);
      case 'J' -> hash((long[]) array);
      case 'D' -> hash((double[]) array);
      case 'F' -> hash((float[]) array);
      case 'S' -> hash((short[]) array);
      default -> hash((boolean[]) array);
    };
  }

  private static int hash(byte[] array) {
    int length = array.length;
    long sum = length;
    if (length < FEW) {
      for (int i = 0; i < length; i++) {
        sum = 31 * sum + array[i];
      }
      return mix(sum);
    }
    sum = 31 * sum + array[0];
    sum = 31 * sum + array[1];
    sum = 31 * sum + array[length / 2];
    sum = 31 * sum + array[length - 2];
    return mix(31 * sum + array[length - 1]);
  }

  private static int hash(char[] array) {
    int length = array.length;
    long sum = length;
    if (length < FEW) {
      for (int i = 0; i < length; i++) {
        sum = 31 * sum + array[i];
      }
      return mix(sum);
    }
    sum = 31 * sum + array[0];
    sum = 31 * sum + array[1];
    sum = 31 * sum + array[length / 2];
    sum = 31 * sum + array[length - 2];
    return mix(31 * sum + array[length - 1]);
  }

  private static int hash(int[] array) {
    int length = array.length;
    long sum = length;
    if (length < FEW) {
      for (int i = 0; i < length; i++) {
        sum = 31 * sum + array[i];
      }
      return mix(sum);
    }
    sum = 31 * sum + array[0];
    sum = 31 * sum + array[1];
    sum = 31 * sum + array[length / 2];
    sum = 31 * sum + array[length - 2];
    return mix(31 * sum + array[length - 1]);
  }

  private static int hash(long[] array) {
    int length = array.length;
    long sum = length;
    if (length < FEW) {
      for (int i = 0; i < length; i++) {
        sum = 31 * sum + array[i];
      }
      return mix(sum);
    }
    sum = 31 * sum + array[0];
    sum = 31 * sum + array[1];
    sum = 31 * sum + array[length / 2];
    sum = 31 * sum + array[length - 2];
    return mix(31 * sum + array[length - 1]);
  }

  private static int hash(double[] array) {
    int length = array.length;
    long sum = length;
    if (length < FEW) {
      for (int i = 0; i < length; i++) {
        sum = 31 * sum + Double.doubleToRawLongBits(array[i]);
      }
      return mix(sum);
    }
    sum = 31 * sum + Double.doubleToRawLongBits(array[0]);
    sum = 31 * sum + Double.doubleToRawLongBits(array[1]);
    sum = 31 * sum + Double.doubleToRawLongBits(array[length / 2]);
    sum = 31 * sum + Double.doubleToRawLongBits(array[length - 2]);
    return mix(31 * sum + Double.doubleToRawLongBits(array[length - 1]));
  }

  private static int hash(float[] array) {
    int length = array.length;
    long sum = length;
    if (length < FEW) {
      for (int i = 0; i < length; i++) {
        sum = 31 * sum + Float.floatToRawIntBits(array[i]);
      }
      return mix(sum);
    }
    sum = 31 * sum + Float.floatToRawIntBits(array[0]);
    sum = 31 * sum + Float.floatToRawIntBits(array[1]);
    sum = 31 * sum + Float.floatToRawIntBits(array[length / 2]);
    sum = 31 * sum + Float.floatToRawIntBits(array[length - 2]);
    return mix(31 * sum + Float.floatToRawIntBits(array[length - 1]));
  }

  private static int hash(short[] array) {
    int length = array.length;
    long sum = length;
    if (length < FEW) {
      for (int i = 0; i < length; i++) {
        sum = 31 * sum + array[i];
      }
      return mix(sum);
    }
    sum = 31 * sum + array[0];
    sum = 31 * sum + array[1];
    sum = 31 * sum + array[length / 2];
    sum = 31 * sum + array[length - 2];
    return mix(31 * sum + array[length - 1]);
  }

  private static int hash(boolean[] array) {
    int length = array.length;
    long sum = length;
    if (length < FEW) {
      for (int i = 0; i < length; i++) {
        sum = 31 * sum + (array[i] ? 1 : 0);
      }
      return mix(sum);
    }
    sum = 31 * sum + (array[0] ? 1 : 0);
    sum = 31 * sum + (array[1] ? 1 : 0);
    sum = 31 * sum + (array[length / 2] ? 1 : 0);
    sum = 31 * sum + (array[length - 2] ? 1 : 0);
    return mix(31 * sum + (array[length - 1] ? 1 : 0));
  }
}

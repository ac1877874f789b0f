package io.karmi.benchmarks.payloads;

import java.util.Arrays;

/** Arrays of numbers that all bytes take part in. */
public final class NumberArrays {
  private NumberArrays() {}

  /** So many bytes. */
  public static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i * 7);
    }
    return bytes;
  }

  /** So many ints. */
  public static int[] ints(int length) {
    int[] ints = new int[length];
    Arrays.setAll(ints, i -> i * 0x01030507);
    return ints;
  }

  /** So many floats. */
  public static float[] floats(int length) {
    float[] floats = new float[length];
    for (int i = 0; i < length; i++) {
      floats[i] = i * 0.5f;
    }
    return floats;
  }
}

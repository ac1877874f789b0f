package io.karmi.benchmarks.payloads;

import java.util.Arrays;

/** Arrays of numbers that all bytes take part in. */
public final class NumberArrays {
  private NumberArrays() {}

  /** As many bytes as asked for. */
  public static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i * 7);
    }
    return bytes;
  }

  /** As many ints as asked for. */
  public static int[] ints(int length) {
    int[] ints = new int[length];
    Arrays.setAll(ints, i -> i * 0x01030507);
    return ints;
  }

  /** As many floats as asked for. */
  public static float[] floats(int length) {
    float[] floats = new float[length];
    for (int i = 0; i < length; i++) {
      floats[i] = i * 0.5f;
    }
    return floats;
  }
}

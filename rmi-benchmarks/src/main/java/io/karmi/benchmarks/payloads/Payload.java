package io.karmi.benchmarks.payloads;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The arguments of {@code obj ping(obj)}: every object factory of the paper's section 6.1. */
public enum Payload {
  NULL("null", () -> null),
  BYTE_50("byte[50]", () -> bytes(50)),
  BYTE_200("byte[200]", () -> bytes(200)),
  BYTE_500("byte[500]", () -> bytes(500)),
  BYTE_2000("byte[2000]", () -> bytes(2000)),
  BYTE_5000("byte[5000]", () -> bytes(5000)),
  BYTE_20000("byte[20000]", () -> bytes(20000)),
  INT_50("int[50]", () -> ints(50)),
  INT_200("int[200]", () -> ints(200)),
  INT_500("int[500]", () -> ints(500)),
  INT_2000("int[2000]", () -> ints(2000)),
  INT_5000("int[5000]", () -> ints(5000)),
  INT_20000("int[20000]", () -> ints(20000)),
  FLOAT_50("float[50]", () -> floats(50)),
  FLOAT_200("float[200]", () -> floats(200)),
  FLOAT_500("float[500]", () -> floats(500)),
  FLOAT_2000("float[2000]", () -> floats(2000)),
  FLOAT_5000("float[5000]", () -> floats(5000)),
  FLOAT_20000("float[20000]", () -> floats(20000)),
  FOUR_INTS("4 int, 2 null", () -> new FourInts(4711)),
  THIRTY_TWO_INTS("32 int", () -> new ThirtyTwoInts(4711)),
  TREE_15("tree(15)", () -> Tree.ofSize(15));

  private final String title;
  private final Supplier<@Nullable Object> factory;

  Payload(String title, Supplier<@Nullable Object> factory) {
    this.title = title;
    this.factory = factory;
  }

  /** The name in the paper's tables. */
  public String title() {
    return title;
  }

  /** A fresh object; each call's is equal to every other's. */
  public @Nullable Object create() {
    return factory.get();
  }

  /** Is {@code result} what {@link #create} makes? Arrays are compared by content. */
  public boolean isEqualTo(@Nullable Object result) {
    return Objects.deepEquals(create(), result);
  }

  /** The payload with this {@link #title}. */
  public static Payload ofTitle(String title) {
    return Arrays.stream(values())
        .filter(payload -> payload.title.equals(title))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no payload is called " + title));
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i * 7);
    }
    return bytes;
  }

  private static int[] ints(int length) {
    int[] ints = new int[length];
    Arrays.setAll(ints, i -> i * 0x01030507);
    return ints;
  }

  private static float[] floats(int length) {
    float[] floats = new float[length];
    for (int i = 0; i < length; i++) {
      floats[i] = i * 0.5f;
    }
    return floats;
  }
}

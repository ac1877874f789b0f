package io.karmi.benchmarks.payloads;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Every object factory of the paper's section 6.1. */
public enum Payload implements PayloadFactory {
  NULL("null", () -> null),
  BYTE_50("byte[50]", () -> NumberArrays.bytes(50)),
  BYTE_200("byte[200]", () -> NumberArrays.bytes(200)),
  BYTE_500("byte[500]", () -> NumberArrays.bytes(500)),
  BYTE_2000("byte[2000]", () -> NumberArrays.bytes(2000)),
  BYTE_5000("byte[5000]", () -> NumberArrays.bytes(5000)),
  BYTE_20000("byte[20000]", () -> NumberArrays.bytes(20000)),
  INT_50("int[50]", () -> NumberArrays.ints(50)),
  INT_200("int[200]", () -> NumberArrays.ints(200)),
  INT_500("int[500]", () -> NumberArrays.ints(500)),
  INT_2000("int[2000]", () -> NumberArrays.ints(2000)),
  INT_5000("int[5000]", () -> NumberArrays.ints(5000)),
  INT_20000("int[20000]", () -> NumberArrays.ints(20000)),
  FLOAT_50("float[50]", () -> NumberArrays.floats(50)),
  FLOAT_200("float[200]", () -> NumberArrays.floats(200)),
  FLOAT_500("float[500]", () -> NumberArrays.floats(500)),
  FLOAT_2000("float[2000]", () -> NumberArrays.floats(2000)),
  FLOAT_5000("float[5000]", () -> NumberArrays.floats(5000)),
  FLOAT_20000("float[20000]", () -> NumberArrays.floats(20000)),
  FOUR_INTS("4 int, 2 null", () -> new FourInts(4711)),
  THIRTY_TWO_INTS("32 int", () -> new ThirtyTwoInts(4711)),
  TREE_15("tree(15)", () -> Tree.ofSize(15));

  private final String title;
  private final Supplier<@Nullable Object> factory;

  Payload(String title, Supplier<@Nullable Object> factory) {
    this.title = title;
    this.factory = factory;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public @Nullable Object create() {
    return factory.get();
  }
}

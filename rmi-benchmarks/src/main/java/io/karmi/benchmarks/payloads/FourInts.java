package io.karmi.benchmarks.payloads;

import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The paper's {@code 4 int, 2 null}: an object with four ints and two references that are null. */
public final class FourInts implements Serializable {
  private static final long serialVersionUID = 1;

  private final int a;
  private final int b;
  private final int c;
  private final int d;
  private final @Nullable FourInts first;
  private final @Nullable FourInts second;

  /** An object whose four numbers follow from {@code seed}, and whose references are null. */
  public FourInts(int seed) {
    a = seed;
    b = seed * 31;
    c = -seed;
    d = seed ^ 0x5555;
    first = null;
    second = null;
  }

  /** An object of these four numbers. */
  public FourInts(int[] ints, @Nullable FourInts first, @Nullable FourInts second) {
    a = ints[0];
    b = ints[1];
    c = ints[2];
    d = ints[3];
    this.first = first;
    this.second = second;
  }

  /** The four numbers, for those who serialize by hand. */
  public int[] ints() {
    return new int[] {a, b, c, d};
  }

  public @Nullable FourInts first() {
    return first;
  }

  public @Nullable FourInts second() {
    return second;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FourInts that
        && a == that.a
        && b == that.b
        && c == that.c
        && d == that.d
        && Objects.equals(first, that.first)
        && Objects.equals(second, that.second);
  }

  @Override
  public int hashCode() {
    return Objects.hash(a, b, c, d, first, second);
  }
}

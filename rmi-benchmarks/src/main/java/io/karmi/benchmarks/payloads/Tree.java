package io.karmi.benchmarks.payloads;

import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The paper's {@code tree(n)}: a balanced binary tree of {@code n} objects with four ints each. */
public final class Tree implements Serializable {
  private static final long serialVersionUID = 1;

  private final int a;
  private final int b;
  private final int c;
  private final int d;
  private final @Nullable Tree left;
  private final @Nullable Tree right;

  private Tree(int number, @Nullable Tree left, @Nullable Tree right) {
    a = number;
    b = number + 1;
    c = number * 7;
    d = ~number;
    this.left = left;
    this.right = right;
  }

  /** A balanced tree of {@code size} nodes; null for none. */
  public static @Nullable Tree ofSize(int size) {
    if (size <= 0) {
      return null;
    }
    int below = size - 1;
    return new Tree(size, ofSize(below - below / 2), ofSize(below / 2));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Tree that
        && a == that.a
        && b == that.b
        && c == that.c
        && d == that.d
        && Objects.equals(left, that.left)
        && Objects.equals(right, that.right);
  }

  @Override
  public int hashCode() {
    return Objects.hash(a, b, c, d, left, right);
  }
}

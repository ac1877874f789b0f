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

  /** A node with these four numbers. */
  public Tree(int[] ints, @Nullable Tree left, @Nullable Tree right) {
    a = ints[0];
    b = ints[1];
    c = ints[2];
    d = ints[3];
    this.left = left;
    this.right = right;
  }

  /** A balanced tree of {@code size} nodes; null for none. */
  public static @Nullable Tree ofSize(int size) {
    if (size <= 0) {
      return null;
    }
    int below = size - 1;
    int[] ints = {size, size + 1, size * 7, ~size};
    return new Tree(ints, ofSize(below - below / 2), ofSize(below / 2));
  }

  /** The four numbers, for those who serialize by hand. */
  public int[] ints() {
    return new int[] {a, b, c, d};
  }

  public @Nullable Tree left() {
    return left;
  }

  public @Nullable Tree right() {
    return right;
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

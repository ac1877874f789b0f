package io.karmi.benchmarks.payloads;

import java.io.Serializable;
import java.util.Arrays;

/** A number and five characters: an element of Naos's array of 1024 pairs. */
public final class Pair implements Serializable {
  private static final long serialVersionUID = 1;

  private final int key;
  private final char[] value;

  public Pair(int key) {
    this.key = key;
    value = String.valueOf(10_000 + key % 90_000).toCharArray();
  }

  /** An array of as many. */
  public static Pair[] many(int count) {
    Pair[] pairs = new Pair[count];
    Arrays.setAll(pairs, Pair::new);
    return pairs;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Pair that && key == that.key && Arrays.equals(value, that.value);
  }

  @Override
  public int hashCode() {
    return key;
  }
}

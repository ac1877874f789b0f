package io.karmi.benchmarks.startup.program;

import java.io.Serializable;

/** A serializable class of plain fields. */
public class Leaf0000 implements Serializable {
  private static final long serialVersionUID = 1;

  private final int number;
  private final double share;
  private final String text;

  /** As loaders of the sample program make it. */
  public Leaf0000() {
    this(7);
  }

  Leaf0000(int number) {
    this.number = number;
    share = 1.0 / number;
    text = "leaf ".concat(Integer.toString(number));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Leaf0000 && ((Leaf0000) other).text.equals(text);
  }

  @Override
  public int hashCode() {
    return 31 * number + text.hashCode() + (int) (100 * share);
  }
}

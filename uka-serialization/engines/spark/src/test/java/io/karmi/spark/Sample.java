package io.karmi.spark;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;

/** A record of a program's own, which refers to others. */
class Sample implements Serializable {
  private static final long serialVersionUID = 1;

  enum Kind {
    SMALL,
    LARGE
  }

  final int number;
  final String text;
  final Kind kind;
  final List<Object> parts;

  Sample(int number, String text, Object... parts) {
    this.number = number;
    this.text = text;
    this.kind = number < 100 ? Kind.SMALL : Kind.LARGE;
    this.parts = new java.util.ArrayList<>(java.util.Arrays.asList(parts));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Sample
        && ((Sample) other).number == number
        && ((Sample) other).text.equals(text)
        && ((Sample) other).kind == kind
        && ((Sample) other).parts.equals(parts);
  }

  @Override
  public int hashCode() {
    return Objects.hash(number, text, parts);
  }

  @Override
  public String toString() {
    return "Sample " + number + " " + text + " " + parts;
  }
}

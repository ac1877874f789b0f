package io.karmi.benchmarks.applications;

import java.io.Serializable;
import java.util.List;

/** A paraffin radical: hydrogen, or a carbon atom with three smaller radicals and a free bond. */
public final class Radical implements Serializable {
  private static final long serialVersionUID = 1;

  private final Radical[] bound;

  private Radical(Radical... bound) {
    this.bound = bound;
  }

  static Radical hydrogen() {
    return new Radical();
  }

  static Radical carbon(Radical first, Radical second, Radical third) {
    return new Radical(first, second, third);
  }

  /** The structure as text: two radicals are the same isomer when their texts are equal. */
  @Override
  public String toString() {
    return bound.length == 0 ? "H" : Molecule.text("C", List.of(bound));
  }
}

package io.karmi.benchmarks.applications;

import java.io.Serializable;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A paraffin molecule: radicals around its centre, which is a carbon atom (four radicals) or a bond
 * between two halves of one size (two radicals).
 */
public final class Molecule implements Serializable {
  private static final long serialVersionUID = 1;

  private final Radical[] radicals;

  Molecule(Radical... radicals) {
    this.radicals = radicals;
  }

  /** The structure as text: two molecules are the same isomer when their texts are equal. */
  @Override
  public String toString() {
    return text(radicals.length == 2 ? "bond" : "C", List.of(radicals));
  }

  /** In the order of the texts, so that the order of the radicals does not matter. */
  static String text(String centre, List<Radical> around) {
    return around.stream()
        .map(Radical::toString)
        .sorted()
        .collect(Collectors.joining(" ", centre + "(", ")"));
  }
}

package io.karmi.benchmarks.applications;

import java.util.ArrayList;
import java.util.List;

/** A worker of {@link Paraffins}, which the sequential run uses without RMI. */
public final class ParaffinCombinations implements ParaffinMolecules {
  @Override
  public Radical[] radicals(Radical[] first, Radical[] second, Radical[] third) {
    List<Radical> made = new ArrayList<>();
    for (Radical[] chosen : chosen(first, second, third)) {
      made.add(Radical.carbon(chosen[0], chosen[1], chosen[2]));
    }
    return made.toArray(Radical[]::new);
  }

  @Override
  public Molecule[] aroundCarbon(
      Radical[] first, Radical[] second, Radical[] third, Radical[] fourth) {
    return molecules(chosen(first, second, third, fourth));
  }

  @Override
  public Molecule[] aroundBond(Radical[] halves) {
    return molecules(chosen(halves, halves));
  }

  private static Molecule[] molecules(List<Radical[]> chosen) {
    return chosen.stream().map(Molecule::new).toArray(Molecule[]::new);
  }

  /**
   * One element of each array in all ways; of equal arrays, which are neighbours, without order.
   */
  private static List<Radical[]> chosen(Radical[]... arrays) {
    List<Radical[]> all = new ArrayList<>();
    choose(arrays, new int[arrays.length], 0, all);
    return all;
  }

  private static void choose(Radical[][] arrays, int[] indices, int depth, List<Radical[]> all) {
    if (depth == arrays.length) {
      Radical[] chosen = new Radical[depth];
      for (int i = 0; i < depth; i++) {
        chosen[i] = arrays[i][indices[i]];
      }
      all.add(chosen);
      return;
    }
    boolean unordered = depth > 0 && arrays[depth] == arrays[depth - 1];
    for (int i = unordered ? indices[depth - 1] : 0; i < arrays[depth].length; i++) {
      indices[depth] = i;
      choose(arrays, indices, depth + 1, all);
    }
  }
}

package io.karmi.benchmarks.applications;

import io.karmi.benchmarks.measure.Kernel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;

/**
 * Paraffin generation (section 6.1c): the structures of all paraffin molecules with up to {@link
 * #MAXIMUM_CARBON} carbon atoms, all isomers and no duplicates.
 *
 * <p>Master and workers: each job goes to a worker that is free. Arguments and results are graphs
 * of objects. Every molecule has one centre: a carbon atom none of whose four radicals holds half
 * of the atoms, or the bond between two radicals of half of the atoms each.
 */
public record Paraffins(String name, List<ParaffinMolecules> workers) implements Kernel {
  static final int MAXIMUM_CARBON = 12;

  /** Known numbers of isomers with 1, 2, 3 ... carbon atoms. */
  private static final int[] ISOMERS = {1, 1, 1, 2, 3, 5, 9, 18, 35, 75, 159, 355};

  /** A remote call on a worker. */
  @FunctionalInterface
  private interface Job<T> {
    T on(ParaffinMolecules worker) throws Exception;
  }

  @Override
  public int leastRuns() {
    return 3;
  }

  @Override
  public void run() throws Exception {
    requireKnownCounts(generate(workers));
  }

  @Override
  public String check() throws Exception {
    List<List<Molecule>> molecules = generate(workers);
    requireKnownCounts(molecules);
    List<Set<String>> expected = structures(generate(List.of(new ParaffinCombinations())));
    if (!structures(molecules).equals(expected)) {
      throw new IllegalStateException(name + " gives other molecules than the sequential run");
    }
    return "isomers " + molecules.stream().map(List::size).toList();
  }

  private static void requireKnownCounts(List<List<Molecule>> molecules) {
    int[] counts = molecules.stream().mapToInt(List::size).toArray();
    if (!Arrays.equals(counts, ISOMERS)) {
      throw new IllegalStateException(
          "isomers by size: " + Arrays.toString(counts) + ", not " + Arrays.toString(ISOMERS));
    }
  }

  private static List<Set<String>> structures(List<List<Molecule>> molecules) {
    List<Set<String>> all = new ArrayList<>();
    for (List<Molecule> ofOneSize : molecules) {
      Set<String> structures = new HashSet<>();
      for (Molecule molecule : ofOneSize) {
        if (!structures.add(molecule.toString())) {
          throw new IllegalStateException("twice: " + molecule);
        }
      }
      all.add(structures);
    }
    return all;
  }

  private static List<List<Molecule>> generate(List<? extends ParaffinMolecules> workers)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(workers.size());
    try {
      return new Run(threads, new LinkedBlockingQueue<>(workers)).molecules();
    } finally {
      threads.shutdown();
    }
  }

  /**
   * One run.
   *
   * @param free the workers that have no job
   */
  private record Run(ExecutorService threads, BlockingQueue<ParaffinMolecules> free) {
    private <T> Future<T> submit(Job<T> job) {
      return threads.submit(
          () -> {
            ParaffinMolecules worker = free.take();
            try {
              return job.on(worker);
            } finally {
              free.add(worker);
            }
          });
    }

    List<List<Molecule>> molecules() throws Exception {
      List<Radical[]> radicals = radicals();
      List<List<Future<Molecule[]>>> jobs = new ArrayList<>();
      for (int size = 1; size <= MAXIMUM_CARBON; size++) {
        jobs.add(moleculesOf(size, radicals));
      }
      List<List<Molecule>> molecules = new ArrayList<>();
      for (List<Future<Molecule[]>> ofOneSize : jobs) {
        List<Molecule> all = new ArrayList<>();
        for (Future<Molecule[]> job : ofOneSize) {
          all.addAll(Arrays.asList(job.get()));
        }
        molecules.add(all);
      }
      return molecules;
    }

    /** The radicals of 0, 1, 2 ... carbon atoms, up to half of a molecule. */
    private List<Radical[]> radicals() throws Exception {
      List<Radical[]> radicals = new ArrayList<>();
      radicals.add(new Radical[] {Radical.hydrogen()});
      for (int size = 1; size <= MAXIMUM_CARBON / 2; size++) {
        List<Future<Radical[]>> jobs = new ArrayList<>();
        for (int[] sizes : partitions(size - 1, 3, size - 1)) {
          jobs.add(
              submit(
                  worker ->
                      worker.radicals(
                          radicals.get(sizes[0]), radicals.get(sizes[1]), radicals.get(sizes[2]))));
        }
        List<Radical> all = new ArrayList<>();
        for (Future<Radical[]> job : jobs) {
          all.addAll(Arrays.asList(job.get()));
        }
        radicals.add(all.toArray(Radical[]::new));
      }
      return radicals;
    }

    private List<Future<Molecule[]>> moleculesOf(int size, List<Radical[]> radicals) {
      List<Future<Molecule[]>> jobs = new ArrayList<>();
      for (int[] sizes : partitions(size - 1, 4, (size - 1) / 2)) {
        jobs.add(
            submit(
                worker ->
                    worker.aroundCarbon(
                        radicals.get(sizes[0]),
                        radicals.get(sizes[1]),
                        radicals.get(sizes[2]),
                        radicals.get(sizes[3]))));
      }
      if (size % 2 == 0) {
        jobs.add(submit(worker -> worker.aroundBond(radicals.get(size / 2))));
      }
      return jobs;
    }
  }

  /** All ways to write {@code sum} as {@code parts} numbers up to {@code most}, falling. */
  static List<int[]> partitions(int sum, int parts, int most) {
    if (parts == 0) {
      return sum == 0 ? List.of(new int[0]) : List.of();
    }
    List<int[]> all = new ArrayList<>();
    for (int first = Math.min(sum, most); first >= 0; first--) {
      for (int[] rest : partitions(sum - first, parts - 1, first)) {
        all.add(Stream.of(new int[] {first}, rest).flatMapToInt(Arrays::stream).toArray());
      }
    }
    return all;
  }
}

package io.karmi.benchmarks.applications;

import io.karmi.benchmarks.measure.Kernel;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Successive overrelaxation (section 6.1c): Laplace's equation on a square grid, red points and
 * black points in turn.
 *
 * <p>Each worker has a block of rows. After each phase neighbours send each other their border
 * rows. The result is the sequential run's to the last bit, since no point depends on another of
 * its colour.
 */
public record Sor(String name, List<SorWorkers> workers) implements Kernel {
  /** Points per side, the fixed ones included. */
  static final int SIZE = 130;

  static final int ITERATIONS = 20;

  private static final double[][] EXPECTED = sequentially();

  @Override
  public int leastRuns() {
    return 3;
  }

  @Override
  public void run() throws Exception {
    double[][] grid = solve();
    if (!Arrays.deepEquals(grid, EXPECTED)) {
      throw new IllegalStateException(name + " gives another grid than the sequential run");
    }
  }

  @Override
  public String check() throws Exception {
    run();
    return "hash " + Arrays.deepHashCode(EXPECTED);
  }

  static double[][] sequentially() {
    SorGrid grid = new SorGrid(0, SorGrid.initial(SIZE));
    for (int i = 0; i < ITERATIONS; i++) {
      grid.relax(SorGrid.RED);
      grid.relax(SorGrid.BLACK);
    }
    return grid.rows();
  }

  private double[][] solve() throws Exception {
    double[][] grid = SorGrid.initial(SIZE);
    int[] first = new int[workers.size() + 1];
    for (int i = 0; i < first.length; i++) {
      first[i] = (SIZE - 2) * i / workers.size();
    }
    List<SorBlock> blocks = new ArrayList<>();
    try {
      for (int i = 0; i < workers.size(); i++) {
        double[][] rows = Arrays.copyOfRange(grid, first[i], first[i + 1] + 2);
        blocks.add(workers.get(i).create(first[i], rows));
      }
      List<double[][]> results = relax(blocks);
      for (int i = 0; i < results.size(); i++) {
        System.arraycopy(results.get(i), 1, grid, first[i] + 1, first[i + 1] - first[i]);
      }
      return grid;
    } finally {
      close(blocks);
    }
  }

  private static List<double[][]> relax(List<SorBlock> blocks) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(blocks.size());
    try {
      List<Future<double[][]>> jobs = new ArrayList<>();
      for (int i = 0; i < blocks.size(); i++) {
        SorBlock block = blocks.get(i);
        SorBlock above = i == 0 ? null : blocks.get(i - 1);
        SorBlock below = i == blocks.size() - 1 ? null : blocks.get(i + 1);
        jobs.add(threads.submit(() -> block.relax(ITERATIONS, above, below)));
      }
      List<double[][]> results = new ArrayList<>();
      for (Future<double[][]> job : jobs) {
        results.add(job.get());
      }
      return results;
    } finally {
      threads.shutdown();
    }
  }

  private static void close(List<SorBlock> blocks) throws RemoteException {
    for (SorBlock block : blocks) {
      block.close();
    }
  }
}

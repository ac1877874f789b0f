package io.karmi.benchmarks.applications;

import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A worker of {@link Sor}. */
public final class SorServer extends UnicastRemoteObject implements SorWorkers {
  private static final long serialVersionUID = 1;
  private static final long PATIENCE_SECONDS = 30;

  public SorServer() throws RemoteException {}

  @Override
  public SorBlock create(int firstRow, double[][] rows) throws RemoteException {
    return new Block(new SorGrid(firstRow, rows));
  }

  private static final class Block extends UnicastRemoteObject implements SorBlock {
    private static final long serialVersionUID = 1;

    private final transient SorGrid grid;
    private final transient BlockingQueue<double[]> above = new LinkedBlockingQueue<>();
    private final transient BlockingQueue<double[]> below = new LinkedBlockingQueue<>();

    Block(SorGrid grid) throws RemoteException {
      this.grid = grid;
    }

    @Override
    public void border(boolean fromAbove, double[] row) {
      (fromAbove ? above : below).add(row);
    }

    @Override
    public double[][] relax(int iterations, @Nullable SorBlock upper, @Nullable SorBlock lower)
        throws RemoteException, InterruptedException {
      for (int phase = 0; phase < 2 * iterations; phase++) {
        grid.relax(phase % 2 == 0 ? SorGrid.RED : SorGrid.BLACK);
        exchange(upper, lower);
      }
      return grid.rows();
    }

    /** Both rows go out before either is waited for. */
    private void exchange(@Nullable SorBlock upper, @Nullable SorBlock lower)
        throws RemoteException, InterruptedException {
      double[][] rows = grid.rows();
      if (upper != null) {
        upper.border(false, rows[1]);
      }
      if (lower != null) {
        lower.border(true, rows[rows.length - 2]);
      }
      if (upper != null) {
        rows[0] = take(above);
      }
      if (lower != null) {
        rows[rows.length - 1] = take(below);
      }
    }

    private static double[] take(BlockingQueue<double[]> rows) throws InterruptedException {
      double[] row = rows.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (row == null) {
        throw new IllegalStateException("no row from a neighbour for " + PATIENCE_SECONDS + " s");
      }
      return row;
    }

    @Override
    public void close() throws NoSuchObjectException {
      UnicastRemoteObject.unexportObject(this, true);
    }
  }
}

package io.karmi.benchmarks.applications;

import java.rmi.Remote;
import java.rmi.RemoteException;
import org.jspecify.annotations.Nullable;

/** Some neighbouring rows of {@link Sor}'s grid. */
public interface SorBlock extends Remote {
  /** Takes the row that a neighbour has computed in its last phase. */
  void border(boolean fromAbove, double[] row) throws RemoteException;

  /** Relaxes the block; null where the grid ends. Returns the rows, those beside it included. */
  double[][] relax(int iterations, @Nullable SorBlock above, @Nullable SorBlock below)
      throws RemoteException, InterruptedException;

  /** Unexports the block. */
  void close() throws RemoteException;
}

package io.karmi.benchmarks.applications;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** Makes {@link SorBlock}s on a worker. */
public interface SorWorkers extends Remote {
  /**
   * A block of a grid.
   *
   * @param firstRow the number of the first of {@code rows} in the whole grid
   * @param rows the block's rows, and one more above and below them
   */
  SorBlock create(int firstRow, double[][] rows) throws RemoteException;
}

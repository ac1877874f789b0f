package io.karmi.benchmarks.kernels;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** Barrier at which the clients of the kernel {@code star} wait for each other. */
public interface Barrier extends Remote {
  /** Waits until {@code parties} clients are here. */
  void enter(int parties) throws RemoteException, InterruptedException;

  /** Waits for all that have entered and not left. */
  void await() throws RemoteException, InterruptedException;

  /** Leaves: the others no longer wait for this client. */
  void leave() throws RemoteException;
}

package io.karmi.benchmarks.applications;

import java.rmi.Remote;
import java.rmi.RemoteException;

/**
 * A worker that combines radicals. Where two arguments are the same array, the pairs from them are
 * taken without regard to order: RMI keeps the identity of objects among the arguments of a call.
 */
public interface ParaffinMolecules extends Remote {
  /** Each carbon atom with one radical of each array. */
  Radical[] radicals(Radical[] first, Radical[] second, Radical[] third) throws RemoteException;

  /** Each molecule around a carbon atom with one radical of each array. */
  Molecule[] aroundCarbon(Radical[] first, Radical[] second, Radical[] third, Radical[] fourth)
      throws RemoteException;

  /** Each molecule of two of these radicals. */
  Molecule[] aroundBond(Radical[] halves) throws RemoteException;
}

package io.karmi.benchmarks.applications;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** Takes the products that {@link Multiplier}s send back. */
public interface Merger extends Remote {
  /** The next product of multiplier {@code index}; one multiplier's products rise. */
  void product(int index, long value) throws RemoteException;
}

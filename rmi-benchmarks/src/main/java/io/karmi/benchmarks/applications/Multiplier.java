package io.karmi.benchmarks.applications;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** Multiplies numbers by one prime, in order, in a thread of its own. */
public interface Multiplier extends Remote {
  /** Takes {@code value}; the product is sent later. */
  void multiply(long value) throws RemoteException;

  /** Ends the thread and unexports the multiplier. */
  void stop() throws RemoteException;
}

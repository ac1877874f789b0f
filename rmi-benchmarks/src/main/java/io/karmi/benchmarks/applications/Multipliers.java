package io.karmi.benchmarks.applications;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** Makes {@link Multiplier}s on the server. */
public interface Multipliers extends Remote {
  /** A multiplier whose products go to {@code merger}, marked with {@code index}. */
  Multiplier create(long factor, int index, Merger merger) throws RemoteException;
}

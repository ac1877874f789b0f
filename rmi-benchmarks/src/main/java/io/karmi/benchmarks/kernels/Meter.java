package io.karmi.benchmarks.kernels;

import io.karmi.benchmarks.measure.Use;
import java.rmi.Remote;
import java.rmi.RemoteException;

/** Remote interface of the server's JVM besides the kernels. */
public interface Meter extends Remote {
  /** What the server's JVM has used so far. */
  Use use() throws RemoteException;

  /** Unexports everything, so that the server's JVM ends; its answer may get lost with it. */
  void stop() throws RemoteException;
}

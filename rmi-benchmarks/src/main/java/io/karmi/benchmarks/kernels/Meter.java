package io.karmi.benchmarks.kernels;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** What the client asks the server's JVM besides the kernels. */
public interface Meter extends Remote {
  /** Bytes that the server's threads have allocated so far. */
  long allocatedBytes() throws RemoteException;

  /** Unexports everything, so that the server's JVM ends; its answer may get lost with it. */
  void stop() throws RemoteException;
}

package io.karmi.benchmarks.kernels;

import java.rmi.Remote;
import java.rmi.RemoteException;
import org.jspecify.annotations.Nullable;

/** The remote methods of the kernels. */
public interface Ping extends Remote {
  /** Does nothing but be counted. */
  void ping() throws RemoteException;

  /** Adds both arguments to the {@link #checksum}. */
  void ping(int a, int b) throws RemoteException;

  /** Gives its argument back. */
  @Nullable Object ping(@Nullable Object argument) throws RemoteException;

  /** A number that depends on every call so far and on the arguments of {@code ping(int, int)}. */
  long checksum() throws RemoteException;
}

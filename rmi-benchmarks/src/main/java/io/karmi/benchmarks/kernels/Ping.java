package io.karmi.benchmarks.kernels;

import java.rmi.Remote;
import java.rmi.RemoteException;
import org.jspecify.annotations.Nullable;

/** The remote methods of the kernels that are not called back. */
public interface Ping extends Remote {
  /** Does nothing but be counted. */
  void ping() throws RemoteException;

  /** Adds both arguments to the {@link #checksum}. */
  void ping(int a, int b) throws RemoteException;

  /** Adds the arguments, the fractions as integers, to the {@link #checksum}. */
  void ping(int a, int b, float c, float d) throws RemoteException;

  /** Gives its argument back: {@code obj ping(obj)}. */
  @Nullable Object ping(@Nullable Object argument) throws RemoteException;

  /** Takes its argument: {@code void ping(obj)}. */
  void take(@Nullable Object argument) throws RemoteException;

  /** What {@link #take} was given last. */
  @Nullable Object taken() throws RemoteException;

  /** A number that depends on every call so far and on the numbers among their arguments. */
  long checksum() throws RemoteException;
}

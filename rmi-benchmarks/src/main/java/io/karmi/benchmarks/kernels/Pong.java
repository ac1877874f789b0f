package io.karmi.benchmarks.kernels;

import java.rmi.Remote;
import java.rmi.RemoteException;
import org.jspecify.annotations.Nullable;

/** A client that is called back. */
public interface Pong extends Remote {
  /** Takes its argument. */
  void takePong(@Nullable Object argument) throws RemoteException;

  /** Gives its argument back. */
  @Nullable Object pong(@Nullable Object argument) throws RemoteException;
}

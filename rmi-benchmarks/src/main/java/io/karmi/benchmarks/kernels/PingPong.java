package io.karmi.benchmarks.kernels;

import java.rmi.Remote;
import java.rmi.RemoteException;
import org.jspecify.annotations.Nullable;

/** A remote object that calls a {@link Pong} back before it returns. */
public interface PingPong extends Remote {
  /** {@code void pingpong(obj)}: the client takes it, too. */
  void takePingPong(@Nullable Object argument) throws RemoteException;

  /** {@code obj pingpong(obj)}: gives back what the client gives back. */
  @Nullable Object pingPong(@Nullable Object argument) throws RemoteException;
}

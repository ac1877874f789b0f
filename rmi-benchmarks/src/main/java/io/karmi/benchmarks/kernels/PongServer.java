package io.karmi.benchmarks.kernels;

import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import org.jspecify.annotations.Nullable;

/** The client's half of the kernel {@code pingpong}. */
final class PongServer extends UnicastRemoteObject implements Pong {
  private static final long serialVersionUID = 1;

  private transient volatile @Nullable Object taken;

  PongServer() throws RemoteException {}

  @Override
  public void takePong(@Nullable Object argument) {
    taken = argument;
  }

  @Override
  public @Nullable Object pong(@Nullable Object argument) {
    return argument;
  }

  /** What {@link #takePong} was given last. */
  @Nullable Object taken() {
    return taken;
  }
}

package io.karmi.benchmarks.kernels;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** Makes a {@link PingPong} for each client. */
public interface PingPongs extends Remote {
  /** One that calls {@code client} back. */
  PingPong open(Pong client) throws RemoteException;
}

package io.karmi.benchmarks.messaging;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** The remote object in the registry of the JVM that receives. */
public interface Called extends Remote {
  /** Returns its argument. */
  byte[] ping(byte[] bytes) throws RemoteException;
}

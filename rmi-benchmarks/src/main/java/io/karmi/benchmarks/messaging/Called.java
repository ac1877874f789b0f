package io.karmi.benchmarks.messaging;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** What the JVM that receives binds in its registry. */
public interface Called extends Remote {
  /** Returns its argument. */
  byte[] ping(byte[] bytes) throws RemoteException;
}

package io.karmi.bridge;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** Where references are exchanged; it lives in the bridging node. */
interface Hub extends Remote {
  void put(String name, Remote object) throws RemoteException;

  Remote get(String name) throws RemoteException;

  void forget(String name) throws RemoteException;
}

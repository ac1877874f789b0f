package io.karmi.choice;

import java.rmi.Remote;
import java.rmi.RemoteException;

interface Room extends Remote {
  void look() throws RemoteException;

  /** Returns when the callee ends. */
  void stay() throws RemoteException;
}

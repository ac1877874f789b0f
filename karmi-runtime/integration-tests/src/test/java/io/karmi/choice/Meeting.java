package io.karmi.choice;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** Meeting of callers. */
public interface Meeting extends Remote {
  /** Returns when all callers are there. */
  void join() throws RemoteException;
}

package io.karmi.benchmarks.startup.remote;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** The server's object. */
public interface Directory extends Remote {
  /** Answers a query. */
  Entry find(Query query) throws RemoteException;

  /** Lets the server end. */
  void close() throws RemoteException;
}

package io.karmi.replicas;

import java.io.IOException;
import java.rmi.Remote;
import java.rmi.RemoteException;

/** The remote interface of the replicas. */
interface Replica extends Remote {
  /** Which of them answers. */
  String name() throws RemoteException;

  int length(String text, long factor) throws RemoteException;

  Object echo(Object argument) throws RemoteException;

  void fail() throws IOException;
}

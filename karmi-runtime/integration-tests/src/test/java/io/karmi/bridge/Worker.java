package io.karmi.bridge;

import java.io.IOException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.concurrent.CompletableFuture;

/** What is called through the bridge, in either direction. */
interface Worker extends Remote {
  int twice(int number) throws RemoteException;

  Object echo(Object value) throws RemoteException;

  /** Calls the other worker, which calls this one, until the depth is used up. */
  int nest(Worker other, int depth) throws RemoteException;

  /** The worker itself. */
  Worker self() throws RemoteException;

  void fail() throws IOException;

  void failRemotely() throws RemoteException;

  CompletableFuture<String> later(String text) throws RemoteException;

  /** Says that it is called, and does not return. */
  void hang() throws RemoteException;
}

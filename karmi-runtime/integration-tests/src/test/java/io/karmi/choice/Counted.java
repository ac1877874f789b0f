package io.karmi.choice;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** An object that knows how often it was called. */
public interface Counted extends Remote {
  /** Counts this call; returns how many there have been. */
  int count() throws RemoteException;
}

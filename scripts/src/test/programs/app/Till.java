package app;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** The part of a shop that {@link Shop} inherits. */
public interface Till extends Remote {
  /** Twice the amount. */
  int total(int amount) throws RemoteException;
}

package app;

import java.rmi.RemoteException;

/** A service whose calls are traced. */
public interface Shop extends Till {
  /** Always throws an {@link IllegalStateException}. */
  void fail() throws RemoteException;
}

package app;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** The remote interfaces of the sample. */
public interface Chat extends Remote {
  /** A listener, which the server calls back. */
  interface Listener extends Remote {
    int heard(String what, Object attachment) throws RemoteException;
  }

  String join(String name, Listener listener) throws RemoteException;

  Object echo(Object value) throws RemoteException;

  long sum(byte a, short b, char c, int d, long e, float f, double g, boolean h) throws RemoteException;

  void fail(String message) throws RemoteException, java.io.FileNotFoundException;

  Chat again() throws RemoteException;

  void close() throws RemoteException;
}

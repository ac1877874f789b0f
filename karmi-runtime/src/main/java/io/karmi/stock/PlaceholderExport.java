package io.karmi.stock;

import java.net.Socket;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;

/**
 * Object that stock RMI exports at a port without exports, for as long as it takes to accept one
 * connection. Stock RMI then tells the caller that there is no such object, as at a port of its
 * own.
 */
final class PlaceholderExport implements Remote {
  private PlaceholderExport() {}

  /** Hands a connection to a port over. */
  static boolean offer(int port, Socket connection) throws RemoteException {
    PortSockets sockets = PortSockets.of(port);
    Remote nothing = new PlaceholderExport();
    UnicastRemoteObject.exportObject(nothing, port, null, sockets);
    try {
      return sockets.offer(connection);
    } finally {
      UnicastRemoteObject.unexportObject(nothing, true);
    }
  }
}

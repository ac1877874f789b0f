package corpus;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;

/** The RMI that the system property {@code corpus.rmi} names: {@code stock} or {@code karmi}. */
final class Rmi {
  private static final boolean STOCK = System.getProperty("corpus.rmi").equals("stock");

  private Rmi() {}

  static Remote export(Remote object) throws RemoteException {
    return STOCK
        ? java.rmi.server.UnicastRemoteObject.exportObject(object, 0)
        : io.karmi.rmi.UnicastRemoteObject.exportObject(object, 0);
  }

  static Registry createRegistry(int port) throws RemoteException {
    return STOCK
        ? java.rmi.registry.LocateRegistry.createRegistry(port)
        : io.karmi.rmi.LocateRegistry.createRegistry(port);
  }

  static Registry getRegistry(int port) throws RemoteException {
    return STOCK
        ? java.rmi.registry.LocateRegistry.getRegistry("localhost", port)
        : io.karmi.rmi.LocateRegistry.getRegistry("localhost", port);
  }
}

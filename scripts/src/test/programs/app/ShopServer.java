package app;

import java.net.ServerSocket;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;

/** Prints its port, and lives until it is closed by a call. */
public class ShopServer extends UnicastRemoteObject implements Shop {
  private static Registry registry;

  ShopServer() throws RemoteException {}

  public static void main(String[] args) throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    registry = LocateRegistry.createRegistry(port);
    registry.rebind("shop", new ShopServer());
    System.out.println("port " + port);
  }

  @Override
  public int total(int amount) {
    return 2 * amount;
  }

  @Override
  public void fail() {
    throw new IllegalStateException("closed on Sundays");
  }

  @Override
  public void close() throws RemoteException {
    UnicastRemoteObject.unexportObject(this, true);
    UnicastRemoteObject.unexportObject(registry, true);
  }
}

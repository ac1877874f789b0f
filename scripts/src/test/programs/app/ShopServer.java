package app;

import java.net.ServerSocket;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.UnicastRemoteObject;

/** Prints its port, and lives until it is killed. */
public class ShopServer extends UnicastRemoteObject implements Shop {
  ShopServer() throws RemoteException {}

  public static void main(String[] args) throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    LocateRegistry.createRegistry(port).rebind("shop", new ShopServer());
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
}

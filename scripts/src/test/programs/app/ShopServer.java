package app;

import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;

/** Prints its port, and lives until it is killed. */
public class ShopServer extends UnicastRemoteObject implements Shop {
  ShopServer() throws RemoteException {}

  public static void main(String[] args) throws Exception {
    OpenRegistry open = OpenRegistry.atAnyPort();
    open.registry().rebind("shop", new ShopServer());
    System.out.println("port " + open.port());
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

package app;

import java.rmi.registry.LocateRegistry;

/** Calls a shop; with a second argument it closes the shop afterwards. */
public final class ShopClient {
  private ShopClient() {}

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[0]);
    Shop shop = (Shop) LocateRegistry.getRegistry("127.0.0.1", port).lookup("shop");
    System.out.println("total " + shop.total(21));
    try {
      shop.fail();
    } catch (IllegalStateException e) {
      System.out.println("failed: " + e.getMessage());
    }
    if (args.length > 1) {
      shop.close();
    }
  }
}

package app;

import java.rmi.registry.LocateRegistry;

/** Calls the shop at each port, one after the other; a last argument "close" closes each one. */
public final class ShopClient {
  private ShopClient() {}

  public static void main(String[] args) throws Exception {
    boolean close = args[args.length - 1].equals("close");
    int ports = close ? args.length - 1 : args.length;
    for (int i = 0; i < ports; i++) {
      int port = Integer.parseInt(args[i]);
      Shop shop = (Shop) LocateRegistry.getRegistry("127.0.0.1", port).lookup("shop");
      System.out.println("total " + shop.total(21));
      try {
        shop.fail();
      } catch (IllegalStateException e) {
        System.out.println("failed: " + e.getMessage());
      }
      if (close) {
        shop.close();
      }
    }
  }
}

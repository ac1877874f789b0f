package app;

import java.rmi.registry.LocateRegistry;

/** Calls the shop at each port, one after the other. */
public final class ShopClient {
  private ShopClient() {}

  public static void main(String[] args) throws Exception {
    for (String each : args) {
      int port = Integer.parseInt(each);
      Shop shop = (Shop) LocateRegistry.getRegistry("127.0.0.1", port).lookup("shop");
      System.out.println("total " + shop.total(21));
      try {
        shop.fail();
      } catch (IllegalStateException e) {
        System.out.println("failed: " + e.getMessage());
      }
    }
  }
}

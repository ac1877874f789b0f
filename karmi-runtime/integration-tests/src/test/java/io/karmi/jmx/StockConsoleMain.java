package io.karmi.jmx;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.RMISocketFactory;
import javax.management.remote.rmi.RMIServer;

/**
 * A console on stock RMI that logs in from one of this host's addresses. Arguments: the port of the
 * registry, the address, the number of wrong passwords that it tries before the right one.
 */
public final class StockConsoleMain {
  private StockConsoleMain() {}

  /** Runs to its end. */
  public static void main(String[] args) throws Exception {
    InetAddress from = InetAddress.getByName(args[1]);
    RMISocketFactory.setSocketFactory(
        new RMISocketFactory() {
          @Override
          public Socket createSocket(String host, int port) throws IOException {
            return new Socket(host, port, from, 0);
          }

          @Override
          public ServerSocket createServerSocket(int port) throws IOException {
            return new ServerSocket(port);
          }
        });
    RMIServer server =
        (RMIServer)
            LocateRegistry.getRegistry("127.0.0.1", Integer.parseInt(args[0])).lookup("beans");
    for (int i = Integer.parseInt(args[2]); i >= 0; i--) {
      try {
        server.newClient(new String[] {"user", i == 0 ? "secret" : "guess " + i});
        System.out.println("attached");
      } catch (SecurityException e) {
        System.out.println("refused " + e.getMessage());
      }
    }
    System.exit(0);
  }
}

package io.karmi.registry;

import java.io.IOException;
import java.io.Serializable;
import java.net.Socket;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMISocketFactory;

/**
 * Default sockets of stock RMI. A program that asks for a registry with a socket factory gets one
 * of stock RMI, also where KaRMI replaces java.rmi.
 */
final class StockSockets implements RMIClientSocketFactory, Serializable {
  static final StockSockets INSTANCE = new StockSockets();

  private static final long serialVersionUID = 1;

  private StockSockets() {}

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    RMISocketFactory chosen = RMISocketFactory.getSocketFactory();
    return (chosen != null ? chosen : RMISocketFactory.getDefaultSocketFactory())
        .createSocket(host, port);
  }

  private Object readResolve() {
    return INSTANCE;
  }
}

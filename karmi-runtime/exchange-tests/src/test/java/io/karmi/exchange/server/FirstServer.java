package io.karmi.exchange.server;

import java.rmi.RemoteException;

/** Starts servers that are no restarted ones, and wait for no report of keys of before. */
public final class FirstServer {
  private FirstServer() {}

  public static ExchangeServer start(int port) throws RemoteException {
    return ExchangeServer.start(port).withoutPredecessor();
  }
}

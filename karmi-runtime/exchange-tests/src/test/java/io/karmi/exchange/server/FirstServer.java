package io.karmi.exchange.server;

import java.rmi.RemoteException;
import java.util.concurrent.CountDownLatch;

/** Starts servers that are no restarted ones, and wait for no report of keys of before. */
public final class FirstServer {
  private FirstServer() {}

  /** What {@code karmi-exchange} does with a port, until it is killed. */
  public static void main(String... port) throws Exception {
    ExchangeServer server = start(Integer.parseInt(port[0]));
    System.out.println("karmi-exchange listens on port " + server.port());
    new CountDownLatch(1).await();
  }

  public static ExchangeServer start(int port) throws RemoteException {
    return ExchangeServer.start(port).withoutPredecessor();
  }
}

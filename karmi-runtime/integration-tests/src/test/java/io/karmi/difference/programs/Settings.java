package io.karmi.difference.programs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMISocketFactory;
import java.rmi.server.RemoteServer;
import java.rmi.server.UnicastRemoteObject;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** Time-outs that an operator sets, and a client that calls from another address of this host. */
public final class Settings implements Program {
  private static final String MILLIS = "3000";
  private static final String OTHER_ADDRESS = "127.0.0.9";

  /** Says who calls, and may take its time. */
  public interface Clerk extends Remote {
    String callersHost() throws RemoteException;

    void hold() throws RemoteException;

    void release() throws RemoteException;
  }

  static final class ClerkObject implements Clerk {
    private final CountDownLatch released = new CountDownLatch(1);

    @Override
    public String callersHost() {
      return Observe.outcome(RemoteServer::getClientHost);
    }

    @Override
    public void hold() throws RemoteException {
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new RemoteException("interrupted", e);
      }
    }

    @Override
    public void release() {
      released.countDown();
    }
  }

  /** Connects from an address that is no other host's, and not the usual one. */
  static final class FromElsewhere extends RMISocketFactory {
    @Override
    public Socket createSocket(String host, int port) throws IOException {
      Socket socket = new Socket();
      socket.bind(new InetSocketAddress(OTHER_ADDRESS, 0));
      socket.connect(new InetSocketAddress("127.0.0.1", port));
      return socket;
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
      return new ServerSocket(port);
    }
  }

  /** Static, so that no collector takes it. */
  private static ClerkObject clerk;

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    clerk = new ClerkObject();
    Registry registry = LocateRegistry.createRegistry(port);
    registry.bind("clerk", UnicastRemoteObject.exportObject(clerk, 0));
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    System.setProperty("sun.rmi.transport.tcp.responseTimeout", MILLIS);
    System.setProperty("sun.rmi.transport.tcp.handshakeTimeout", MILLIS);
    RMISocketFactory.setSocketFactory(new FromElsewhere());
    Registry registry = LocateRegistry.getRegistry("localhost", port);
    Clerk found = (Clerk) registry.lookup("clerk");
    observed.accept("caller: " + found.callersHost());
    observed.accept("bound from there: " + Observe.outcomeOf(() -> registry.bind("again", found)));
    observed.accept("unbound: " + Observe.outcomeOf(() -> registry.unbind("again")));
    observed.accept("no answer: " + Observe.outcomeOf(found::hold));
    observed.accept("afterwards: " + Observe.outcomeOf(found::release));
    observed.accept("caller: " + found.callersHost());
    try (ServerSocket silent = new ServerSocket(0)) {
      Registry none = LocateRegistry.getRegistry("localhost", silent.getLocalPort());
      observed.accept("silent: " + Observe.outcome(none::list));
    }
  }
}

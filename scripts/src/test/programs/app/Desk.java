package app;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.UnicastRemoteObject;

/**
 * A server with four objects, of which one has sockets of its own, one server sockets alone, and one a filter; or with a port its
 * client, which calls all, copies an object, refuses another and ends both.
 */
public class Desk implements Till {
  static final int PLAIN_CALLS = 40;
  static final int OWN_CALLS = 3;
  static final int HALF_CALLS = 1;
  static final int FILTERED_CALLS = 2;

  /* Stock RMI does not keep what a registry of the same JVM names. */
  private static final Desk PLAIN = new Desk();
  private static final Desk OWN = new Desk();
  private static final Desk HALF = new Desk();
  private static final Desk FILTERED = new Desk();

  /** Sockets as they come. */
  static final class Sockets implements RMIClientSocketFactory, RMIServerSocketFactory, Serializable {
    @Override
    public Socket createSocket(String host, int port) throws IOException {
      return new Socket(host, port);
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
      return new ServerSocket(port);
    }
  }

  @Override
  public int total(int amount) {
    if (amount < 0) {
      new Thread(() -> System.exit(0)).start();
    }
    return 2 * amount;
  }

  public static void main(String[] args) throws Exception {
    if (args.length == 0) {
      serve();
    } else {
      call(LocateRegistry.getRegistry("127.0.0.1", Integer.parseInt(args[0])));
    }
  }

  private static void serve() throws Exception {
    OpenRegistry open = OpenRegistry.atAnyPort();
    Registry registry = open.registry();
    registry.rebind("plain", UnicastRemoteObject.exportObject(PLAIN, 0));
    Sockets sockets = new Sockets();
    registry.rebind("own", UnicastRemoteObject.exportObject(OWN, 0, sockets, sockets));
    registry.rebind("half", UnicastRemoteObject.exportObject(HALF, 0, null, sockets));
    ObjectInputFilter filter = shown -> ObjectInputFilter.Status.ALLOWED;
    registry.rebind("filtered", UnicastRemoteObject.exportObject(FILTERED, 0, filter));
    System.out.println("port " + open.port());
  }

  private static void call(Registry registry) throws Exception {
    Till plain = (Till) registry.lookup("plain");
    Till own = (Till) registry.lookup("own");
    for (int i = 0; i < PLAIN_CALLS; i++) {
      plain.total(i);
    }
    for (int i = 0; i < OWN_CALLS; i++) {
      own.total(i);
    }
    Till half = (Till) registry.lookup("half");
    for (int i = 0; i < HALF_CALLS; i++) {
      half.total(i);
    }
    Till filtered = (Till) registry.lookup("filtered");
    for (int i = 0; i < FILTERED_CALLS; i++) {
      filtered.total(i);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(java.time.Duration.ofSeconds(1));
    }
    System.out.println(new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject());
    ObjectInputStream refusing = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    refusing.setObjectInputFilter(shown -> ObjectInputFilter.Status.REJECTED);
    try {
      refusing.readObject();
    } catch (InvalidClassException e) {
      System.out.println("refused");
    }
    try {
      plain.total(-1);
    } catch (java.rmi.RemoteException e) {
      System.out.println("the server was faster");
    }
    System.exit(0);
  }
}

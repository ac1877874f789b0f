package io.karmi.operations;

import io.karmi.kit.FreePort;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.Serializable;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.rmi.server.ExportException;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.RMISocketFactory;
import java.util.ArrayList;
import java.util.List;
import javax.rmi.ssl.SslRMIClientSocketFactory;
import javax.rmi.ssl.SslRMIServerSocketFactory;

/**
 * A program of nodes with {@code karmi.tls}: exports in every way there is, and tells at which
 * ports it listens; or calls.
 */
public final class Secured {
  /** Kept from the collector. */
  private static final List<Remote> KEPT = new ArrayList<>();

  private static final ObjectInputFilter NO_GADGETS =
      info ->
          info.serialClass() == Gadget.class
              ? ObjectInputFilter.Status.REJECTED
              : ObjectInputFilter.Status.UNDECIDED;

  private Secured() {}

  /** What is called. */
  public interface Safe extends Remote {
    /** Gives back what it gets. */
    Object echo(Object value) throws RemoteException;
  }

  private static final class Implementation implements Safe {
    @Override
    public Object echo(Object value) {
      return value;
    }
  }

  /** Sockets in clear. */
  public static final class Clear
      implements RMIClientSocketFactory, RMIServerSocketFactory, Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public Socket createSocket(String host, int port) throws IOException {
      return new Socket(host, port);
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
      return new ServerSocket(port);
    }
  }

  /** Serves or calls. */
  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "serve":
        serve();
        break;
      case "call":
        call(Integer.parseInt(arguments[1]));
        break;
      default:
        stock(Integer.parseInt(arguments[1]));
    }
  }

  private static void serve() throws Exception {
    int port = FreePort.any();
    Registry registry = LocateRegistry.createRegistry(port);
    registry.bind("plain", UnicastRemoteObject.exportObject(kept(), 0));
    registry.bind("shared", UnicastRemoteObject.exportObject(kept(), port, NO_GADGETS));
    registry.bind("filtered", UnicastRemoteObject.exportObject(kept(), 0, NO_GADGETS));
    registry.bind(
        "ssl",
        UnicastRemoteObject.exportObject(
            kept(), 0, new SslRMIClientSocketFactory(), new SslRMIServerSocketFactory()));
    Clear clear = new Clear();
    refused("server", () -> UnicastRemoteObject.exportObject(kept(), 0, null, clear));
    refused("both", () -> UnicastRemoteObject.exportObject(kept(), 0, clear, clear));
    refused("filter", () -> UnicastRemoteObject.exportObject(kept(), 0, clear, clear, NO_GADGETS));
    refused(
        "default",
        () ->
            UnicastRemoteObject.exportObject(
                kept(), 0, clear, RMISocketFactory.getDefaultSocketFactory()));
    System.out.println("port " + port);
  }

  private interface Export {
    Object make() throws RemoteException;
  }

  private static void refused(String what, Export export) throws RemoteException {
    try {
      export.make();
      System.out.println("exported " + what);
    } catch (ExportException e) {
      System.out.println("refused " + what + " " + (e.getCause() + "").contains("karmi.tls"));
    }
  }

  private static Safe kept() {
    Safe made = new Implementation();
    KEPT.add(made);
    return made;
  }

  private static void call(int port) throws Exception {
    Registry registry = LocateRegistry.getRegistry("127.0.0.1", port);
    for (String name : new String[] {"plain", "shared", "filtered", "ssl"}) {
      try {
        Safe found = (Safe) registry.lookup(name);
        System.out.println(name + " " + found.echo("text"));
        found.echo(new Gadget());
        System.out.println(name + " took a gadget");
      } catch (RemoteException e) {
        System.out.println(name + " threw " + e.getClass().getSimpleName());
      }
    }
  }

  /** Calls by a stub of stock RMI, as may arrive in any argument or result. */
  private static void stock(int port) throws Exception {
    LocateRegistry.getRegistry("127.0.0.1", 1); // the runtime starts
    try {
      java.rmi.registry.LocateRegistry.getRegistry("127.0.0.1", port).list();
      System.out.println("called");
    } catch (RemoteException e) {
      System.out.println("threw " + e.getClass().getName());
    }
  }
}

package io.karmi.operations;

import io.karmi.messaging.Messaging;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.ByteArrayOutputStream;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.concurrent.Callable;

/** A program that tries all ways in which a node is used first. */
public final class Settled {
  private Settled() {}

  /** Says hello. */
  public interface Greeting extends Remote {
    /** Says it. */
    String hello() throws RemoteException;
  }

  private static final class Greeter implements Greeting {
    @Override
    public String hello() {
      return "hello";
    }
  }

  private static void attempt(String what, Callable<?> work) {
    try {
      work.call();
      System.out.println(what + ": done");
    } catch (Exception e) {
      Throwable root = e;
      while (root.getCause() != null) {
        root = root.getCause();
      }
      System.out.println(what + ": " + e.getClass().getSimpleName() + " " + root.getMessage());
    }
  }

  /**
   * Tries them twice, to a registry at a port; with a second argument, serves until it is ended.
   */
  public static void main(String... arguments) throws Exception {
    int port = Integer.parseInt(arguments[0]);
    for (int i = 0; i < 2; i++) {
      attempt("lookup", () -> LocateRegistry.getRegistry("127.0.0.1", port).list());
      attempt("registry", () -> LocateRegistry.createRegistry(0));
      attempt("export", () -> UnicastRemoteObject.exportObject(new Greeter(), 0));
      attempt(
          "filtered export",
          () -> UnicastRemoteObject.exportObject(new Greeter(), 0, info -> null));
      attempt(
          "stock lookup",
          () -> java.rmi.registry.LocateRegistry.getRegistry("127.0.0.1", port).list());
      attempt("messages", () -> Messaging.ofThisNode().address());
      attempt("stream", () -> new io.karmi.uka.UkaObjectOutputStream(new ByteArrayOutputStream()));
    }
    System.out.println("tried");
    System.exit(0);
  }
}

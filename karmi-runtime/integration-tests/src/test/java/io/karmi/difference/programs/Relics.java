package io.karmi.difference.programs;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.function.Consumer;

/**
 * What is left of older versions of RMI: code that only mentions it loads, and what works works.
 */
@SuppressWarnings({"deprecation", "removal"}) // they are what this is about
public final class Relics implements Program {
  /** Has a method that only old stubs and skeletons know how to call. */
  public interface Museum extends Remote {
    String visit(int room) throws RemoteException;
  }

  static final class MuseumObject implements Museum {
    @Override
    public String visit(int room) {
      return "room " + room;
    }
  }

  /** A skeleton as rmic made them for Java 1.1. */
  static final class OldSkeleton implements java.rmi.server.Skeleton {
    @Override
    public void dispatch(
        Remote object, java.rmi.server.RemoteCall call, int number, long interfaceHash) {
      throw new UnsupportedOperationException("it is not called");
    }

    @Override
    public java.rmi.server.Operation[] getOperations() {
      return new java.rmi.server.Operation[] {
        new java.rmi.server.Operation("java.lang.String visit(int)")
      };
    }
  }

  /** Mentions what it does not use. */
  static final class Mentions {
    static Object securityManager() {
      return new java.rmi.RMISecurityManager();
    }

    static String where(Class<?> type) {
      return java.rmi.server.RMIClassLoader.getClassAnnotation(type);
    }
  }

  /** Static, so that no collector takes it. */
  private static Museum museum;

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    museum = new MuseumObject();
    Registry registry = LocateRegistry.createRegistry(port);
    registry.bind("museum", UnicastRemoteObject.exportObject(museum, 0));
    observe(observed);
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    Museum found = (Museum) LocateRegistry.getRegistry("localhost", port).lookup("museum");
    observe(observed);
    observed.accept("after all that: " + found.visit(3));
  }

  private static void observe(Consumer<String> observed) {
    observed.accept(
        "operation: " + Observe.outcome(() -> new OldSkeleton().getOperations()[0].getOperation()));
    observed.accept(
        "log: " + Observe.outcome(() -> java.rmi.server.LogStream.log("relics") != null));
    observed.accept(
        "level: " + Observe.outcome(() -> java.rmi.server.LogStream.parseLevel("VERBOSE")));
    observed.accept("no level: " + Observe.outcome(() -> java.rmi.server.LogStream.parseLevel("")));
    observed.accept("mentioned: " + Observe.outcome(() -> new Mentions().getClass() != null));
    observed.accept("annotation: " + Observe.outcome(() -> Mentions.where(String.class)));
    observed.accept(
        "activation: "
            + Observe.outcome(() -> Class.forName("java.rmi.activation.Activatable").getName()));
    observed.accept(
        "skeleton not found: "
            + Observe.inFull(new java.rmi.server.SkeletonNotFoundException("none")));
  }
}

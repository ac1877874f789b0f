package io.karmi.difference.programs;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.function.Consumer;

/** A server that says only after its first exports by which name its host is known. */
public final class Renamed implements Program {
  /** Passes itself and others on. */
  public interface Known extends Remote {
    String name() throws RemoteException;

    Known self() throws RemoteException;
  }

  static final class KnownObject implements Known {
    private final String name;

    KnownObject(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Known self() {
      return this;
    }
  }

  /** Static, so that no collector takes them. */
  private static final Known BEFORE = new KnownObject("before");

  private static final Known AT_ANY = new KnownObject("at any port");
  private static final Known AFTER = new KnownObject("after");
  private static final Known LAST = new KnownObject("last");

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    Remote early = UnicastRemoteObject.exportObject(AT_ANY, 0);
    Registry registry = LocateRegistry.createRegistry(port);
    registry.bind("before", UnicastRemoteObject.exportObject(BEFORE, port));
    registry.bind("any", early);
    System.setProperty("java.rmi.server.hostname", "localhost");
    registry.bind("after", UnicastRemoteObject.exportObject(AFTER, port));
    observed.accept("found: " + registry.list().length);
    System.setProperty("java.rmi.server.hostname", "127.0.0.1");
    registry.bind("last", UnicastRemoteObject.exportObject(LAST, 0));
    Registry own = LocateRegistry.getRegistry("127.0.0.1", port);
    observed.accept("own: " + ((Known) own.lookup("last")).name());
    observed.accept(
        "again: " + Observe.outcome(() -> LocateRegistry.createRegistry(port).getClass()));
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.getRegistry("localhost", port);
    for (String name : new String[] {"before", "any", "after", "last"}) {
      Known found = (Known) registry.lookup(name);
      observed.accept(name + ": " + Observe.outcome(found::name));
      observed.accept(name + " again: " + Observe.outcome(() -> found.self().self().name()));
    }
    observed.accept("all: " + registry.list().length);
  }
}

package io.karmi.difference.programs;

import java.rmi.Naming;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Arrays;
import java.util.function.Consumer;

/** A server whose registry is in another JVM. */
public final class Elsewhere implements Program {
  /** Something to find. */
  public interface Adder extends Remote {
    int add(int a, int b) throws RemoteException;

    Adder self() throws RemoteException;
  }

  /** Another interface of the same object. */
  public interface Named extends Remote {
    String name() throws RemoteException;
  }

  static final class AdderObject extends UnicastRemoteObject implements Adder, Named {
    private static final long serialVersionUID = 1;

    AdderObject() throws RemoteException {}

    @Override
    public int add(int a, int b) {
      return a + b;
    }

    @Override
    public Adder self() {
      return this;
    }

    @Override
    public String name() {
      return "adder";
    }
  }

  /** Static, so that no collector takes it. */
  private static AdderObject adder;

  /** Bound, but exported no more. */
  private static AdderObject gone;

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.getRegistry("localhost", port);
    observed.accept("empty: " + registry.list().length);
    adder = new AdderObject();
    registry.bind("adder", adder);
    registry.rebind("stub", UnicastRemoteObject.toStub(adder));
    gone = new AdderObject();
    registry.bind("gone", gone);
    UnicastRemoteObject.unexportObject(gone, true);
    observed.accept("bound: " + Observe.outcomeOf(() -> registry.bind("adder", adder)));
    observed.accept("at home: " + registry.lookup("adder").equals(registry.lookup("stub")));
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.getRegistry("localhost", port);
    Adder found = (Adder) registry.lookup("adder");
    observed.accept("add: " + found.add(1, 2));
    observed.accept("other interface: " + ((Named) found).name());
    observed.accept("self: " + found.self().equals(found));
    observed.accept(
        "by URL: " + ((Adder) Naming.lookup("//localhost:" + port + "/stub")).equals(found));
    Adder left = (Adder) registry.lookup("gone");
    observed.accept("gone: " + Observe.outcome(() -> left.add(1, 2)));
    observed.accept("unknown: " + Observe.outcome(() -> registry.lookup("nothing")));
    registry.rebind("again", found);
    observed.accept("again: " + ((Adder) registry.lookup("again")).add(3, 4));
    registry.unbind("again");
    String[] names = registry.list();
    Arrays.sort(names);
    observed.accept("list: " + Arrays.toString(names));
  }
}

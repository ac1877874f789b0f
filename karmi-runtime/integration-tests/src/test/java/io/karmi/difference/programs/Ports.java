package io.karmi.difference.programs;

import io.karmi.kit.FreePort;
import java.io.ObjectInputFilter;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.function.Consumer;

/** Several objects, of one kind and another, at one port; and the port afterwards. */
public final class Ports implements Program {
  /** Says who it is. */
  public interface Named extends Remote {
    String name() throws RemoteException;
  }

  static final class NamedObject implements Named {
    private final String name;

    NamedObject(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }
  }

  private static final ObjectInputFilter ANYTHING = info -> ObjectInputFilter.Status.UNDECIDED;

  /** Static, so that no collector takes them. */
  private static final Named PLAIN = new NamedObject("plain");

  private static final Named FILTERED = new NamedObject("filtered");
  private static final Named OTHER = new NamedObject("other");
  private static final Named FIRST = new NamedObject("filtered first");
  private static final Named SECOND = new NamedObject("plain second");

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.createRegistry(port);
    observed.accept(
        "again: " + Observe.outcome(() -> LocateRegistry.createRegistry(port).getClass()));
    Remote plain = UnicastRemoteObject.exportObject(PLAIN, port);
    registry.bind("plain", plain);
    observed.accept("prints its port: " + plain.toString().contains(":" + port + "](local)"));
    registry.bind("filtered", UnicastRemoteObject.exportObject(FILTERED, port, ANYTHING));
    registry.bind("other", UnicastRemoteObject.exportObject(OTHER, port, ANYTHING));
    observed.accept("unexported: " + UnicastRemoteObject.unexportObject(OTHER, true));
    observed.accept("registry: " + registry.getClass().getName());
    observed.accept("stub: " + (UnicastRemoteObject.toStub(registry) instanceof Registry));
    filteredFirst(registry, observed);
  }

  private static void filteredFirst(Registry registry, Consumer<String> observed) throws Exception {
    int port = FreePort.any();
    registry.bind("first", UnicastRemoteObject.exportObject(FIRST, port, ANYTHING));
    registry.bind("second", UnicastRemoteObject.exportObject(SECOND, port));
    LocateRegistry.createRegistry(port).bind("third", registry.lookup("plain"));
    Registry third = LocateRegistry.getRegistry("localhost", port);
    observed.accept("third: " + ((Named) third.lookup("third")).name());
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.getRegistry("localhost", port);
    Named plain = (Named) registry.lookup("plain");
    observed.accept("plain: " + plain.name());
    observed.accept("prints its port: " + plain.toString().contains(":" + port + "](remote)"));
    observed.accept("filtered: " + ((Named) registry.lookup("filtered")).name());
    Named other = (Named) registry.lookup("other");
    observed.accept("other: " + Observe.outcome(other::name));
    observed.accept("filtered: " + ((Named) registry.lookup("filtered")).name());
    observed.accept("first: " + ((Named) registry.lookup("first")).name());
    observed.accept("second: " + ((Named) registry.lookup("second")).name());
    createAndEnd(observed);
  }

  /** A registry and what shares its port, in whatever order they go; then the port is free. */
  private static void createAndEnd(Consumer<String> observed) throws Exception {
    Registry own = LocateRegistry.createRegistry(0);
    Named beside = new NamedObject("beside");
    UnicastRemoteObject.exportObject(beside, 0);
    observed.accept("registry gone: " + UnicastRemoteObject.unexportObject(own, true));
    observed.accept("once more: " + Observe.outcome(() -> end(own)));
    observed.accept("beside gone: " + UnicastRemoteObject.unexportObject(beside, true));
    observed.accept("new: " + (LocateRegistry.createRegistry(0) != null));
  }

  private static boolean end(Remote object) throws RemoteException {
    return UnicastRemoteObject.unexportObject(object, true);
  }
}

package io.karmi.difference.programs;

import io.karmi.kit.FreePort;
import java.io.IOException;
import java.io.Serializable;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.RMISocketFactory;
import java.rmi.server.RemoteObject;
import java.rmi.server.UnicastRemoteObject;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Sockets that the program makes: for one object, for a registry, for all. */
public final class Sockets implements Program {
  /** Something to call. */
  public interface Plug extends Remote {
    String touch() throws RemoteException;

    Plug pass(Plug other) throws RemoteException;

    int accepted() throws RemoteException;
  }

  /** Counts what is made in this JVM. */
  public static final class Factory
      implements RMIClientSocketFactory, RMIServerSocketFactory, Serializable {
    private static final long serialVersionUID = 1;
    static final AtomicInteger CONNECTED = new AtomicInteger();
    static final AtomicInteger LISTENING = new AtomicInteger();
    private final String name;

    Factory(String name) {
      this.name = name;
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
      CONNECTED.incrementAndGet();
      return new Socket(host, port);
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
      LISTENING.incrementAndGet();
      return new ServerSocket(port);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Factory && ((Factory) other).name.equals(name);
    }

    @Override
    public int hashCode() {
      return name.hashCode();
    }
  }

  /** For everything that has no other. */
  static final class Everywhere extends RMISocketFactory {
    static final int BROKEN_PORT = 1;

    final AtomicInteger connected = new AtomicInteger();
    final AtomicInteger listening = new AtomicInteger();

    @Override
    public Socket createSocket(String host, int port) throws IOException {
      if (port == BROKEN_PORT) {
        throw new IOException("broken on purpose");
      }
      connected.incrementAndGet();
      return new Socket(host, port);
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
      listening.incrementAndGet();
      return new ServerSocket(port);
    }
  }

  static class PlugObject implements Plug {
    private final String name;

    PlugObject(String name) {
      this.name = name;
    }

    @Override
    public String touch() {
      return name;
    }

    @Override
    public Plug pass(Plug other) throws RemoteException {
      other.touch();
      return other;
    }

    @Override
    public int accepted() {
      return Factory.LISTENING.get();
    }
  }

  static final class Unicast extends UnicastRemoteObject implements Plug, Cloneable {
    private static final long serialVersionUID = 1;

    Unicast(RMIClientSocketFactory client, RMIServerSocketFactory server) throws RemoteException {
      super(0, client, server);
    }

    @Override
    public String touch() {
      return "unicast";
    }

    @Override
    public Plug pass(Plug other) {
      return this;
    }

    @Override
    public int accepted() {
      return 0;
    }
  }

  /** Static, so that no collector takes them. */
  private static final Remote[] KEPT = new Remote[5];

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    Everywhere everywhere = new Everywhere();
    RMISocketFactory.setSocketFactory(everywhere);
    observed.accept("set: " + (RMISocketFactory.getSocketFactory() == everywhere));
    observed.accept(
        "twice: " + Observe.outcomeOf(() -> RMISocketFactory.setSocketFactory(everywhere)));
    Registry registry = LocateRegistry.createRegistry(port);
    Factory factory = new Factory("one");
    KEPT[0] = new PlugObject("own sockets");
    Remote stub = UnicastRemoteObject.exportObject(KEPT[0], 0, factory, factory);
    registry.bind("own", stub);
    KEPT[1] = new PlugObject("usual sockets");
    registry.bind("usual", UnicastRemoteObject.exportObject(KEPT[1], 0));
    Unicast unicast = new Unicast(factory, factory);
    KEPT[2] = unicast;
    registry.bind("unicast", unicast);
    Unicast clone = (Unicast) unicast.clone();
    KEPT[3] = clone;
    registry.bind("clone", clone);
    observed.accept("equal: " + unicast.equals(clone) + unicast.equals(unicast));
    observed.accept("again: " + Observe.outcome(() -> UnicastRemoteObject.exportObject(clone, 0)));
    observed.accept(
        "hash codes: " + (unicast.hashCode() == RemoteObject.toStub(unicast).hashCode()));
    observed.accept("at home: " + ((Plug) stub).touch());
    observed.accept("used for listening: " + (everywhere.listening.get() > 0));
    observed.accept("used for calls: " + (Factory.CONNECTED.get() > 0));
    KEPT[4] = new PlugObject("gone");
    UnicastRemoteObject.exportObject(KEPT[4], 0, factory, factory);
    observed.accept("unexported: " + UnicastRemoteObject.unexportObject(KEPT[4], false));
    observed.accept(
        "unexported: " + Observe.outcome(() -> UnicastRemoteObject.unexportObject(KEPT[4], false)));
    int second = FreePort.any();
    Registry guarded = LocateRegistry.createRegistry(second, factory, factory);
    guarded.bind("usual", KEPT[1]);
    Registry found = LocateRegistry.getRegistry("localhost", second, factory);
    observed.accept("by its sockets: " + ((Plug) found.lookup("usual")).touch());
    observed.accept(
        "one port for both: "
            + Observe.outcome(() -> LocateRegistry.createRegistry(second, factory, factory)));
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    Everywhere everywhere = new Everywhere();
    RMISocketFactory.setSocketFactory(everywhere);
    Registry registry = LocateRegistry.getRegistry("localhost", port);
    Plug usual = (Plug) registry.lookup("usual");
    observed.accept("usual: " + usual.touch());
    observed.accept("used for all: " + (everywhere.connected.get() > 0));
    observed.accept("not the other one: " + Factory.CONNECTED.get());
    Plug own = (Plug) registry.lookup("own");
    observed.accept("own: " + own.touch());
    observed.accept("made here: " + (Factory.CONNECTED.get() > 0));
    observed.accept("equal: " + own.equals(registry.lookup("own")) + own.equals(usual));
    Plug unicast = (Plug) registry.lookup("unicast");
    Plug clone = (Plug) registry.lookup("clone");
    observed.accept("unicast: " + unicast.touch() + clone.touch() + unicast.equals(clone));
    observed.accept("itself: " + unicast.pass(usual).equals(unicast));
    observed.accept("passed: " + own.pass(usual).touch() + usual.pass(own).equals(own));
    PlugObject mine = new PlugObject("mine");
    Plug stub = (Plug) UnicastRemoteObject.exportObject(mine, 0);
    observed.accept("called back: " + own.pass(mine).touch() + usual.pass(mine).touch());
    observed.accept("equal: " + usual.pass(stub).equals(stub));
    PlugObject secret = new PlugObject("secret");
    Factory factory = new Factory("two");
    Plug secretStub = (Plug) UnicastRemoteObject.exportObject(secret, 0, factory, factory);
    observed.accept("called back: " + own.pass(secret).touch() + usual.pass(secret).touch());
    observed.accept("equal: " + usual.pass(secret).equals(secretStub));
    registry.rebind("secret", secret);
    observed.accept("bound: " + ((Plug) registry.lookup("secret")).touch());
    registry.unbind("secret");
    try {
      LocateRegistry.getRegistry("localhost", Everywhere.BROKEN_PORT).list();
    } catch (RemoteException e) {
      observed.accept("broken: " + Observe.inFull(e));
    }
    UnicastRemoteObject.unexportObject(mine, true);
    UnicastRemoteObject.unexportObject(secret, true);
    observed.accept("gone: " + Observe.outcome(stub::touch) + Observe.outcome(secretStub::touch));
  }
}

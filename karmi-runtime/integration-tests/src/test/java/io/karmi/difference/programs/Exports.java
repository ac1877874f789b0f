package io.karmi.difference.programs;

import io.karmi.kit.FreePort;
import java.net.ServerSocket;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteServer;
import java.rmi.server.UnicastRemoteObject;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** Exporting and unexporting, by all means there are. */
public final class Exports implements Program {
  /** Something to export. */
  public interface Bell extends Remote {
    String ring() throws RemoteException;
  }

  /** Rings until it is told to stop. */
  public interface LongBell extends Remote {
    void ringLong() throws RemoteException;

    String unexportWhileRinging() throws RemoteException;

    void stop() throws RemoteException;
  }

  static class Plain implements Bell {
    @Override
    public String ring() {
      return "plain";
    }

    @Override
    public int hashCode() {
      throw new AssertionError("hashCode of a remote object was called");
    }

    @Override
    public boolean equals(Object other) {
      throw new AssertionError("equals of a remote object was called");
    }
  }

  static final class Unicast extends UnicastRemoteObject implements Bell, Cloneable {
    private static final long serialVersionUID = 1;

    Unicast() throws RemoteException {}

    Unicast(int port) throws RemoteException {
      super(port);
    }

    @Override
    public String ring() {
      return "unicast " + Observe.outcome(RemoteServer::getClientHost).startsWith("127.");
    }
  }

  static final class Context implements Bell {
    @Override
    public String ring() {
      return String.valueOf(
          Thread.currentThread().getContextClassLoader() == Context.class.getClassLoader());
    }
  }

  static final class Long implements LongBell {
    private final CountDownLatch ringing = new CountDownLatch(1);
    private final CountDownLatch stop = new CountDownLatch(1);
    volatile String unexported = "";

    @Override
    public void ringLong() throws RemoteException {
      ringing.countDown();
      try {
        stop.await();
      } catch (InterruptedException e) {
        throw new RemoteException("interrupted", e);
      }
    }

    @Override
    public String unexportWhileRinging() throws RemoteException {
      try {
        ringing.await();
      } catch (InterruptedException e) {
        throw new RemoteException("interrupted", e);
      }
      return Observe.outcome(() -> UnicastRemoteObject.unexportObject(this, false))
          + Observe.outcome(() -> UnicastRemoteObject.unexportObject(this, false));
    }

    @Override
    public void stop() {
      stop.countDown();
    }
  }

  /**
   * Static, since a registry that holds no more than the stub keeps the object from no collector.
   */
  private static Long longBell;

  interface NoException extends Remote {
    void ring();
  }

  sealed interface Sealed extends Remote {
    void ring() throws RemoteException;
  }

  static final class SealedObject implements Sealed {
    @Override
    public void ring() {}
  }

  interface NotRemoteException extends Remote {
    void ring() throws java.io.FileNotFoundException;
  }

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.createRegistry(port);
    observed.accept(
        "second registry at the port: "
            + Observe.outcome(() -> LocateRegistry.createRegistry(port)));
    Plain plain = new Plain();
    Bell stub = (Bell) UnicastRemoteObject.exportObject(plain, 0);
    observed.accept("toStub: " + UnicastRemoteObject.toStub(plain).equals(stub));
    observed.accept("toStub of a stub: " + (RemoteObject.toStub(stub) == stub));
    observed.accept("again: " + thrown(() -> UnicastRemoteObject.exportObject(plain, 0)));
    registry.bind("plain", plain);
    Unicast unicast = new Unicast();
    registry.bind("unicast", unicast);
    observed.accept("again: " + thrown(() -> UnicastRemoteObject.exportObject(new Unicast(), 0)));
    Unicast copy = (Unicast) unicast.clone();
    registry.bind("clone", copy);
    observed.accept("clone equals: " + copy.equals(unicast));
    observed.accept("equals itself: " + unicast.equals(unicast));
    observed.accept("equals its stub: " + unicast.equals(RemoteObject.toStub(unicast)));
    observed.accept("its stub equals it: " + RemoteObject.toStub(unicast).equals(unicast));
    observed.accept(
        "hash codes: " + (unicast.hashCode() == RemoteObject.toStub(unicast).hashCode()));
    observed.accept("prints: " + printed(unicast));
    observed.accept("stub prints: " + printed(stub));
    observed.accept("client host outside: " + Observe.outcome(RemoteServer::getClientHost));
    exportContext(registry);
    exportOddities(observed);
    longBell = new Long();
    registry.bind("long", UnicastRemoteObject.exportObject(longBell, 0));
    ports(observed);
    unexports(observed);
  }

  /** The text of an object or stub, without host, port and number. */
  private static String printed(Remote object) {
    return object
        .toString()
        .replaceAll("endpoint:\\[[^\\]]+:[1-9]\\d*]\\((\\w+)\\),objID:.*", "$1");
  }

  private static void exportContext(Registry registry) throws Exception {
    Thread.currentThread().setContextClassLoader(Context.class.getClassLoader());
    Context context = new Context();
    UnicastRemoteObject.exportObject(context, 0);
    registry.bind("context", context);
  }

  private static void exportOddities(Consumer<String> observed) {
    observed.accept("null: " + thrown(() -> UnicastRemoteObject.exportObject(null, 0)));
    Remote nothing = new Remote() {};
    observed.accept(
        "no method: "
            + thrown(() -> UnicastRemoteObject.exportObject(nothing, 0).toString().split(",")[0])
            + thrown(() -> UnicastRemoteObject.unexportObject(nothing, true)));
    NoException illegal = () -> {};
    observed.accept("illegal: " + thrown(() -> UnicastRemoteObject.exportObject(illegal, 0)));
    NotRemoteException narrow = () -> {};
    SealedObject sealed = new SealedObject();
    observed.accept(
        "sealed: "
            + Observe.outcome(() -> UnicastRemoteObject.exportObject(sealed, 0))
            + thrown(() -> UnicastRemoteObject.unexportObject(sealed, true)));
    observed.accept("narrow: " + thrown(() -> UnicastRemoteObject.exportObject(narrow, 0)));
    observed.accept(
        "negative port: " + thrown(() -> UnicastRemoteObject.exportObject(new Plain(), -5)));
    observed.accept(
        "large port: " + thrown(() -> UnicastRemoteObject.exportObject(new Plain(), 70000)));
  }

  private static void ports(Consumer<String> observed) throws Exception {
    try (ServerSocket taken = new ServerSocket(0)) {
      int port = taken.getLocalPort();
      observed.accept(
          "port in use: " + thrown(() -> UnicastRemoteObject.exportObject(new Plain(), port)));
      observed.accept("registry port in use: " + thrown(() -> LocateRegistry.createRegistry(port)));
    }
    int free = FreePort.any();
    Plain first = new Plain();
    observed.accept("fixed port: " + stubKind(UnicastRemoteObject.exportObject(first, free)));
    Plain second = new Plain();
    observed.accept("same port: " + stubKind(UnicastRemoteObject.exportObject(second, free)));
    observed.accept(
        "listens: "
            + Observe.outcome(
                () -> {
                  try (java.net.Socket socket = new java.net.Socket("localhost", free)) {
                    return socket.isConnected();
                  }
                }));
    observed.accept("unexport: " + UnicastRemoteObject.unexportObject(first, false));
    observed.accept("unexport: " + UnicastRemoteObject.unexportObject(second, false));
  }

  private static boolean stubKind(Remote stub) {
    return stub instanceof Bell && !(stub instanceof Plain);
  }

  private static void unexports(Consumer<String> observed) throws Exception {
    Plain plain = new Plain();
    observed.accept("not exported: " + thrown(() -> RemoteObject.toStub(plain)));
    observed.accept("not exported: " + thrown(() -> unexport(plain)));
    Bell stub = (Bell) UnicastRemoteObject.exportObject(plain, 0);
    observed.accept("local call: " + stub.ring());
    observed.accept("unexport: " + unexportWhenIdle(plain));
    observed.accept("unexport: " + thrown(() -> unexport(plain)));
    observed.accept("toStub: " + thrown(() -> RemoteObject.toStub(plain)));
    observed.accept("call: " + Observe.outcome(stub::ring));
    Bell other = (Bell) UnicastRemoteObject.exportObject(plain, 0);
    observed.accept("exported again: " + other.ring() + other.equals(stub));
    observed.accept("unexport: " + UnicastRemoteObject.unexportObject(plain, true));
  }

  /** Stock RMI counts a call until after its caller has the result. */
  private static boolean unexportWhenIdle(Remote object) throws NoSuchObjectException {
    long deadline = System.nanoTime() + 10_000_000_000L;
    while (!unexport(object)) {
      if (System.nanoTime() > deadline) {
        return false;
      }
      Thread.onSpinWait();
    }
    return true;
  }

  private static boolean unexport(Remote object) throws NoSuchObjectException {
    return UnicastRemoteObject.unexportObject(object, false);
  }

  private static String thrown(java.util.concurrent.Callable<?> call) {
    return Observe.outcome(call);
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.getRegistry("localhost", port);
    for (String name : new String[] {"plain", "unicast", "clone", "context"}) {
      Bell bell = (Bell) registry.lookup(name);
      observed.accept(name + ": " + bell.ring() + " " + bell.equals(registry.lookup(name)));
    }
    LongBell bell = (LongBell) registry.lookup("long");
    Thread ringing =
        new Thread(() -> observed.accept("long: " + Observe.outcomeOf(bell::ringLong)));
    ringing.start();
    observed.accept("unexport while ringing: " + bell.unexportWhileRinging());
    bell.stop();
    ringing.join();
  }
}

package io.karmi.registry;

import io.karmi.id.JrmpName;
import io.karmi.id.ObjectId;
import io.karmi.reference.ClientRef;
import io.karmi.reference.Node;
import io.karmi.reference.ServerRef;
import io.karmi.reference.StockRuntime;
import io.karmi.reference.StoredForm;
import io.karmi.stub.StandInRef;
import io.karmi.stub.StubTypes;
import io.karmi.technology.ForeignPeerException;
import java.io.EOFException;
import java.net.SocketException;
import java.rmi.AlreadyBoundException;
import java.rmi.ConnectException;
import java.rmi.ConnectIOException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.UnmarshalException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteStub;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The registry of a host and port, whichever runtime serves it.
 *
 * <p>It is taken for one of KaRMI until the peer there turns out to speak another protocol. Nothing
 * of that call was executed, so it goes to a stub of stock RMI, and so do those of the next second.
 * It is remembered no longer, as a connection that is cut while it is opened looks the same.
 * Thread-safe.
 */
@SuppressWarnings("deprecation") // what the stub of a registry has always been
final class RegistryStub extends RemoteStub implements Registry, StoredForm {
  private static final long serialVersionUID = 1;

  private static final int MAXIMUM_PORT = 65535;

  /** How long a peer that has spoken another protocol is taken for one of stock RMI. */
  private static final long STOCK_NANOS = 1_000_000_000;

  /** Until when peers are, by host and port: many programs locate a registry for each lookup. */
  private static final Map<String, Long> STOCK_UNTIL_NANOS = new ConcurrentHashMap<>();

  private static final int MOST_REMEMBERED = 1000;

  private final String host;
  private final int port;
  private final transient Registry karmi;
  private final transient String peer;

  /** What is asked of the registry of either runtime. */
  private interface Question<T, E extends Exception> {
    T ask(Registry registry) throws RemoteException, E;
  }

  RegistryStub(String host, int port) {
    super(Node.current().locate(host, port, ObjectId.REGISTRY));
    this.host = host;
    this.port = port;
    this.peer = host + ":" + port;
    this.karmi = (Registry) StubTypes.of(Registry.class).makeStub((ClientRef) ref);
  }

  private Object readResolve() {
    return new RegistryStub(host, port);
  }

  /** In a call of stock RMI's beside a rewritten jar, the stub that any program has there. */
  private Object writeReplace() throws RemoteException {
    Object written = forAnyReader();
    return written == this && Node.current().stock().isWritingCall()
        ? LocateRegistry.getRegistry(host, port)
        : written;
  }

  /** The JDK's stub of a registry, which any JVM reads; this one where that is not to be had. */
  private Object forAnyReader() {
    ClientRef reference = (ClientRef) ref;
    JrmpName name = Node.current().stock().name(reference.id());
    Remote written = name == null ? null : JdkRegistry.stub(new StandInRef(reference, name, this));
    return written == null ? this : written;
  }

  @Override
  public Object formInCall() {
    return this;
  }

  @Override
  public Object formInStockCall(StockRuntime stock) {
    return forAnyReader();
  }

  @Override
  public Remote lookup(String name) throws RemoteException, NotBoundException {
    try {
      return find(name);
    } catch (UnmarshalException e) {
      checkRepeatable(e);
      return find(name);
    } catch (ClassCastException e) {
      throw isNoAnswer(e);
    }
  }

  private Remote find(String name) throws RemoteException, NotBoundException {
    return ask(
        registry -> {
          Remote found = registry.lookup(name);
          return registry == karmi ? found : seenByCaller(found);
        });
  }

  /** As stock RMI shows an answer that is something else. */
  private static UnmarshalException isNoAnswer(ClassCastException problem) {
    return new UnmarshalException("error unmarshalling return", problem);
  }

  @Override
  public void bind(String name, Remote object) throws RemoteException, AlreadyBoundException {
    Remote stub = stubOf(object);
    ask(
        registry -> {
          registry.bind(name, stub);
          return registry;
        });
  }

  @Override
  public void unbind(String name) throws RemoteException, NotBoundException {
    ask(
        registry -> {
          registry.unbind(name);
          return registry;
        });
  }

  @Override
  public void rebind(String name, Remote object) throws RemoteException {
    Remote stub = stubOf(object);
    ask(
        registry -> {
          registry.rebind(name, stub);
          return registry;
        });
  }

  @Override
  public String[] list() throws RemoteException {
    try {
      return ask(Registry::list);
    } catch (UnmarshalException e) {
      checkRepeatable(e);
      return ask(Registry::list);
    } catch (ClassCastException e) {
      throw isNoAnswer(e);
    }
  }

  /**
   * Passes if the connection was lost while the registry was asked: at its other end may have been
   * one that is gone, and asking twice changes nothing.
   */
  private static void checkRepeatable(UnmarshalException problem) throws UnmarshalException {
    if (!(problem.getCause() instanceof SocketException)
        && !(problem.getCause() instanceof EOFException)) {
      throw problem;
    }
  }

  private static Remote seenByCaller(Remote found) throws UnmarshalException {
    try {
      return StubTypes.asSeenByCaller(Node.current().stock().karmiStub(found));
    } catch (ClassNotFoundException e) {
      throw new UnmarshalException("error unmarshalling return", e);
    }
  }

  /** The streams of stock RMI do not know which objects KaRMI exports. */
  private static Remote stubOf(Remote object) {
    ServerRef exported = object == null ? null : Node.current().exported(object);
    return exported == null ? object : exported.stub();
  }

  private <T, E extends Exception> T ask(Question<T, E> question) throws RemoteException, E {
    if (port > MAXIMUM_PORT) {
      throw new IllegalArgumentException("port out of range:" + port);
    }
    Long until = STOCK_UNTIL_NANOS.get(peer);
    if (until != null && System.nanoTime() - until < 0) {
      try {
        return question.ask(stock());
      } catch (ConnectException | ConnectIOException e) {
        STOCK_UNTIL_NANOS.remove(peer); // nothing was executed, and another may be there
      }
    }
    try {
      return question.ask(karmi);
    } catch (ForeignPeerException e) {
      if (STOCK_UNTIL_NANOS.size() >= MOST_REMEMBERED) {
        STOCK_UNTIL_NANOS.clear();
      }
      STOCK_UNTIL_NANOS.put(peer, System.nanoTime() + STOCK_NANOS);
      return question.ask(stock());
    }
  }

  /** The registry of a peer that has turned out to speak another protocol. */
  private Registry stock() throws RemoteException {
    Node.current().stock().isMet();
    return LocateRegistry.getRegistry(host, port, StockSockets.INSTANCE);
  }
}

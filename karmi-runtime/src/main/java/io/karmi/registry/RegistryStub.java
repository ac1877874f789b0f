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
import org.jspecify.annotations.Nullable;

/**
 * The registry of a host and port, whichever runtime serves it.
 *
 * <p>It is taken for one of KaRMI until the peer there turns out to speak another protocol. Nothing
 * of that call was executed, so it goes to a stub of stock RMI, and so do later ones, until that
 * cannot connect any more. Thread-safe.
 */
@SuppressWarnings("deprecation") // what the stub of a registry has always been
final class RegistryStub extends RemoteStub implements Registry, StoredForm {
  private static final long serialVersionUID = 1;

  private static final int MAXIMUM_PORT = 65535;

  private final String host;
  private final int port;
  private final transient Registry karmi;
  private transient volatile @Nullable Registry stock;

  RegistryStub(String host, int port) {
    super(Node.current().locate(host, port, ObjectId.REGISTRY));
    this.host = host;
    this.port = port;
    this.karmi = (Registry) StubTypes.of(Registry.class).makeStub((ClientRef) ref);
  }

  private Object readResolve() {
    return new RegistryStub(host, port);
  }

  /** The JDK's stub of a registry, which any JVM reads; this one where that is not to be had. */
  private Object writeReplace() {
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
    return writeReplace();
  }

  @Override
  public Remote lookup(String name) throws RemoteException, NotBoundException {
    try {
      Remote found = find(name);
      return stock == null ? found : seenByCaller(found);
    } catch (ClassCastException e) {
      throw isNoAnswer(e);
    }
  }

  private Remote find(String name) throws RemoteException, NotBoundException {
    Registry first = current();
    try {
      return first.lookup(name);
    } catch (ConnectException | ConnectIOException e) {
      return insteadOf(first, e).lookup(name);
    } catch (UnmarshalException e) {
      return withoutConnection(e).lookup(name);
    }
  }

  /** As stock RMI shows an answer that is something else. */
  private static UnmarshalException isNoAnswer(ClassCastException problem) {
    return new UnmarshalException("error unmarshalling return", problem);
  }

  @Override
  public void bind(String name, Remote object) throws RemoteException, AlreadyBoundException {
    Remote stub = stubOf(object);
    Registry first = current();
    try {
      first.bind(name, stub);
    } catch (ConnectException | ConnectIOException e) {
      insteadOf(first, e).bind(name, stub);
    }
  }

  @Override
  public void unbind(String name) throws RemoteException, NotBoundException {
    Registry first = current();
    try {
      first.unbind(name);
    } catch (ConnectException | ConnectIOException e) {
      insteadOf(first, e).unbind(name);
    }
  }

  @Override
  public void rebind(String name, Remote object) throws RemoteException {
    Remote stub = stubOf(object);
    Registry first = current();
    try {
      first.rebind(name, stub);
    } catch (ConnectException | ConnectIOException e) {
      insteadOf(first, e).rebind(name, stub);
    }
  }

  @Override
  public String[] list() throws RemoteException {
    try {
      return names();
    } catch (ClassCastException e) {
      throw isNoAnswer(e);
    }
  }

  private String[] names() throws RemoteException {
    Registry first = current();
    try {
      return first.list();
    } catch (ConnectException | ConnectIOException e) {
      return insteadOf(first, e).list();
    } catch (UnmarshalException e) {
      return withoutConnection(e).list();
    }
  }

  /**
   * The registry once more, if the connection was lost while it was asked: at its other end may
   * have been one that is gone, and asking twice changes nothing.
   */
  private Registry withoutConnection(UnmarshalException problem) throws UnmarshalException {
    if (problem.getCause() instanceof SocketException
        || problem.getCause() instanceof EOFException) {
      return current();
    }
    throw problem;
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

  private Registry current() {
    if (port > MAXIMUM_PORT) {
      throw new IllegalArgumentException("port out of range:" + port);
    }
    Registry known = stock;
    return known != null ? known : karmi;
  }

  /** The other kind of registry, if that may help; of the failed call nothing was executed. */
  private Registry insteadOf(Registry failed, RemoteException problem) throws RemoteException {
    if (failed != karmi) {
      stock = null;
      return karmi;
    }
    if (!(problem instanceof ForeignPeerException)) {
      throw problem;
    }
    Node.current().stock().isMet();
    Registry other = LocateRegistry.getRegistry(host, port, StockSockets.INSTANCE);
    stock = other;
    return other;
  }
}

package io.karmi.rmi;

import io.karmi.reference.Node;
import io.karmi.reference.Privileged;
import io.karmi.reference.ServerRef;
import io.karmi.reference.StubFactory;
import io.karmi.stock.PortSockets;
import io.karmi.stock.SecuredSockets;
import io.karmi.stub.StubType;
import io.karmi.stub.StubTypes;
import java.io.IOException;
import java.net.ServerSocket;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.StubNotFoundException;
import java.rmi.server.ExportException;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteStub;
import org.jspecify.annotations.Nullable;

/**
 * Export of any remote object, and its end. Thread-safe.
 *
 * <p>Exceptions are those of stock RMI, in type and message.
 */
@SuppressWarnings("deprecation") // RemoteStub is what the oldest exportObject returns
final class Exports {
  /** Whether a program or operator insists on proxies, where there is a choice. */
  private static final boolean WANT_PROXIES =
      Privileged.get(() -> Boolean.getBoolean("java.rmi.server.ignoreStubClasses"));

  private Exports() {}

  /**
   * Makes an object callable from outside.
   *
   * @param port 0 for any
   * @return its entry
   * @throws ExportException if it is exported already, an interface is illegal, or the port is in
   *     use
   * @throws StubNotFoundException if it implements no remote interface, or a sealed one
   */
  static ServerRef export(Remote object, int port) throws RemoteException {
    return Privileged.listen(port, () -> exportPermitted(object, port, WANT_PROXIES));
  }

  /** The same at any port, for those who need the oldest kind of stub. */
  static RemoteStub export(Remote object) throws RemoteException {
    Remote stub = Privileged.listen(0, () -> exportPermitted(object, 0, false)).stub();
    if (stub instanceof RemoteStub) {
      return (RemoteStub) stub;
    }
    unexport(object, true);
    throw new StubNotFoundException(
        "no stub class for " + object.getClass().getName() + "; export it at a port, 0 for any");
  }

  private static ServerRef exportPermitted(Remote object, int port, boolean proxies)
      throws IOException {
    if (isExportedOnStock(object)) {
      throw new ExportException("object already exported");
    }
    StubType type = typeOf(object.getClass());
    StubFactory stubs = proxies ? type.proxies() : type;
    return Node.current().export(object, type.makeSkeleton(), stubs, port, null);
  }

  /** True if stock RMI exports the object, because it has sockets or a filter of its own. */
  static boolean isExportedOnStock(Remote object) {
    if (isExported(object)) {
      return false;
    }
    try {
      RemoteObject.toStub(object);
      return true;
    } catch (NoSuchObjectException e) {
      return false;
    }
  }

  /**
   * Called when stock RMI is used in this JVM: objects that KaRMI exports may be passed to it from
   * now on.
   */
  static void meetStock() throws ExportException {
    Node.current().checkStarted();
    Node.current().stock().isMet();
  }

  /**
   * Whether stock RMI, which is to listen at a port with sockets of the default kind, has to take
   * its connections from KaRMI, because KaRMI listens there, or is to do so.
   */
  static boolean haveStockShare(
      int port, @Nullable RMIClientSocketFactory client, @Nullable RMIServerSocketFactory server) {
    return areUsual(port, client, server) && (Node.isServing(port) || PortSockets.isChosen(port));
  }

  /**
   * Called before stock RMI exports an object because it has a filter: others, which have none, may
   * follow at the same port.
   */
  static void shareWithStock(
      int port, @Nullable RMIClientSocketFactory client, @Nullable RMIServerSocketFactory server)
      throws RemoteException {
    Node node = Node.current();
    if (areUsual(port, client, server) && node.hasStarted() && !node.isAuthorizing()) {
      Privileged.listen(port, () -> PortSockets.choose(port));
    }
  }

  /** Whether an export is to be at a certain port, with sockets of the default kind. */
  private static boolean areUsual(
      int port, @Nullable RMIClientSocketFactory client, @Nullable RMIServerSocketFactory server) {
    return port > 0 && client == null && server == null;
  }

  /**
   * The server sockets of an export on stock RMI: those of KaRMI's port, if it is to be at one; the
   * program's or stock RMI's own otherwise, which are checked if this node speaks TLS.
   *
   * <p>Sockets of KaRMI's ports need no check. KaRMI listens there, and hands no connection over
   * while calls are authorized.
   */
  static @Nullable RMIServerSocketFactory stockSockets(
      int port, @Nullable RMIClientSocketFactory client, @Nullable RMIServerSocketFactory server) {
    if (!Node.current().hasStarted()) {
      return Exports::refuseNotStarted;
    }
    if (haveStockShare(port, client, server)) {
      return PortSockets.of(port);
    }
    if (server instanceof PortSockets) {
      return server;
    }
    return Node.current().isAuthorizing() ? Exports::refuse : SecuredSockets.checked(server);
  }

  private static ServerSocket refuseNotStarted(int port) throws IOException {
    Node.current().checkStarted();
    throw new IOException("KaRMI has not started");
  }

  private static ServerSocket refuse(int port) throws IOException {
    throw new IOException(
        "stock RMI, which serves exports with sockets or filters of their own, asks no"
            + " CallAuthorizer, and this node has one: export the object without them");
  }

  private static StubType typeOf(Class<?> implementation) throws RemoteException {
    StubType type;
    try {
      type = StubTypes.ofImplementation(implementation);
    } catch (IllegalArgumentException e) {
      throw new ExportException("remote object implements illegal remote interface", e);
    }
    Class<?> sealed = type.sealedInterface();
    if (sealed != null) {
      throw new StubNotFoundException(
          "no stub may implement a remote interface",
          new IllegalArgumentException(sealed.getName() + " is a sealed interface"));
    }
    return type;
  }

  /**
   * The entry of an exported object, or null. Starts no runtime in a JVM that never exported
   * anything.
   */
  static @Nullable ServerRef find(@Nullable Remote object) {
    return object == null ? null : Node.current().exported(object);
  }

  static boolean isExported(@Nullable Remote object) {
    return find(object) != null;
  }

  /**
   * Ends an export.
   *
   * @return false if calls are running and {@code force} is not set
   * @throws NoSuchObjectException if the object is not exported
   */
  static boolean unexport(Remote object, boolean force) throws NoSuchObjectException {
    return Node.current().unexport(object, force);
  }
}

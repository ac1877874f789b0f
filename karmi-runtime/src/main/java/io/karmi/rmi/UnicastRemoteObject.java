package io.karmi.rmi;

import io.karmi.reference.ServerRef;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.lang.reflect.Proxy;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.ExportException;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteRef;
import java.rmi.server.RemoteServer;
import java.rmi.server.RemoteStub;
import java.rmi.server.ServerCloneException;
import java.rmi.server.ServerNotActiveException;
import org.jspecify.annotations.Nullable;

/**
 * Replacement of {@link java.rmi.server.UnicastRemoteObject}: a remote object that exports itself
 * when it is made, cloned or deserialized.
 *
 * <p>With socket factories or a filter of its own an object is exported on stock RMI.
 */
@SuppressWarnings("deprecation") // RemoteStub is what the oldest exportObject returns
public class UnicastRemoteObject extends RemoteServer {
  private static final long serialVersionUID = 4974527148936298033L;

  private int port;

  private @Nullable RMIClientSocketFactory csf;

  private @Nullable RMIServerSocketFactory ssf;

  /** Exports the new object at any port. */
  protected UnicastRemoteObject() throws RemoteException {
    this(0);
  }

  /** Exports the new object at a port. */
  protected UnicastRemoteObject(int port) throws RemoteException {
    this.port = port;
    exportObject((Remote) this, port);
  }

  /** Exports the new object at a port with sockets of its own. */
  protected UnicastRemoteObject(
      int port,
      @Nullable RMIClientSocketFactory clientFactory,
      @Nullable RMIServerSocketFactory serverFactory)
      throws RemoteException {
    this.port = port;
    this.csf = clientFactory;
    this.ssf = serverFactory;
    exportObject((Remote) this, port, clientFactory, serverFactory);
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    PortsOfPeers.checkRead(port);
    exportAgain();
  }

  /** A copy that is exported on its own. */
  @Override
  public Object clone() throws CloneNotSupportedException {
    try {
      UnicastRemoteObject copy = (UnicastRemoteObject) super.clone();
      copy.exportAgain();
      return copy;
    } catch (RemoteException e) {
      throw new ServerCloneException("Clone failed", e);
    }
  }

  private void exportAgain() throws RemoteException {
    if (csf == null && ssf == null) {
      exportObject((Remote) this, port);
    } else {
      exportObject((Remote) this, port, csf, ssf);
    }
  }

  /** Exports an object at any port; its stub is a {@link RemoteStub}. */
  @Deprecated
  public static RemoteStub exportObject(Remote object) throws RemoteException {
    RemoteStub stub = Exports.export(object);
    setOwn(object, Exports.find(object));
    return stub;
  }

  /** Exports an object; port 0 is any. */
  public static Remote exportObject(Remote object, int port) throws RemoteException {
    ServerRef entry = Exports.export(object, port);
    setOwn(object, entry);
    return entry.stub();
  }

  private static void setOwn(Remote object, @Nullable ServerRef entry) {
    if (entry != null && object instanceof UnicastRemoteObject) {
      ((UnicastRemoteObject) object).ref = entry;
    }
  }

  /** Exports an object; with factories, on stock RMI. */
  public static Remote exportObject(
      Remote object,
      int port,
      @Nullable RMIClientSocketFactory clientFactory,
      @Nullable RMIServerSocketFactory serverFactory)
      throws RemoteException {
    if (clientFactory == null && serverFactory == null) {
      return exportObject(object, port);
    }
    checkNotExported(object);
    return onStock(
        object,
        java.rmi.server.UnicastRemoteObject.exportObject(
            object, port, clientFactory, Exports.stockSockets(port, clientFactory, serverFactory)));
  }

  /** Exports an object; with a filter, on stock RMI. */
  public static Remote exportObject(Remote object, int port, @Nullable ObjectInputFilter filter)
      throws RemoteException {
    return exportObject(object, port, null, null, filter);
  }

  /** Exports an object; with factories or a filter, on stock RMI. */
  public static Remote exportObject(
      Remote object,
      int port,
      @Nullable RMIClientSocketFactory clientFactory,
      @Nullable RMIServerSocketFactory serverFactory,
      @Nullable ObjectInputFilter filter)
      throws RemoteException {
    if (filter == null) {
      return exportObject(object, port, clientFactory, serverFactory);
    }
    checkNotExported(object);
    Exports.shareWithStock(port, clientFactory, serverFactory);
    return onStock(
        object,
        java.rmi.server.UnicastRemoteObject.exportObject(
            object,
            port,
            clientFactory,
            Exports.stockSockets(port, clientFactory, serverFactory),
            filter));
  }

  private static void checkNotExported(Remote object) throws ExportException {
    if (Exports.isExported(object)) {
      throw new ExportException("object already exported");
    }
  }

  /** Gives an object that stock RMI exports the identity of its stub. */
  private static Remote onStock(Remote object, Remote stub) throws ExportException {
    Exports.meetStock();
    if (object instanceof UnicastRemoteObject) {
      ((UnicastRemoteObject) object).ref = reference(stub);
    }
    return stub;
  }

  private static RemoteRef reference(Remote stub) {
    Object holder = Proxy.isProxyClass(stub.getClass()) ? Proxy.getInvocationHandler(stub) : stub;
    return ((RemoteObject) holder).getRef();
  }

  /**
   * Ends an export.
   *
   * @return false if calls are running and {@code force} is not set
   * @throws NoSuchObjectException if the object is not exported
   */
  public static boolean unexportObject(Remote object, boolean force) throws NoSuchObjectException {
    return Exports.isExported(object)
        ? Exports.unexport(object, force)
        : java.rmi.server.UnicastRemoteObject.unexportObject(object, force);
  }

  /** For unqualified calls in subclasses, in place of the method of {@link RemoteServer}. */
  public static String getClientHost() throws ServerNotActiveException {
    return RemoteServers.getClientHost();
  }

  /** For unqualified calls in subclasses, in place of the method of RemoteObject. */
  public static Remote toStub(Remote object) throws NoSuchObjectException {
    return RemoteObjects.toStub(object);
  }
}

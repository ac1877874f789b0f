package io.karmi.stock;

import io.karmi.id.JrmpName;
import io.karmi.reference.ServerRef;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.rmi.server.ExportException;
import java.rmi.server.ObjID;
import java.rmi.server.RemoteObject;
import java.rmi.server.UnicastRemoteObject;

/**
 * An object of KaRMI as stock RMI exports it, at the same port.
 *
 * <p>Stock RMI holds the object itself, so its collector decides by its own references alone. A
 * registry is stock RMI's own to begin with. Immutable.
 */
final class Counterpart {

  /** The stub for peers without KaRMI. */
  final Remote stub;

  /** The object's name in stock RMI. */
  final ObjID id;

  private Counterpart(Remote stub) throws ExportException {
    StockName name = StockName.of(stub);
    if (name == null) {
      throw new ExportException("stock RMI names what it exports in an unknown way: " + stub);
    }
    this.stub = stub;
    this.id = name.id;
  }

  /** The counterpart that a registry of stock RMI is itself, before KaRMI exports it. */
  static Counterpart ofRegistry(Registry registry) throws RemoteException {
    return new Counterpart(RemoteObject.toStub(registry));
  }

  /** Exports an object; calls will run with the same context class loader as those of KaRMI. */
  static Counterpart export(ServerRef ref, Remote object, int port) throws RemoteException {
    Thread thread = Thread.currentThread();
    ClassLoader context = thread.getContextClassLoader();
    thread.setContextClassLoader(ref.contextLoader());
    try {
      PortSockets sockets = PortSockets.of(port);
      return new Counterpart(
          ChosenName.ARE_POSSIBLE
              ? ChosenName.export(
                  JrmpName.of(ref.id(), "", port), object, port, sockets, ref.filter())
              : UnicastRemoteObject.exportObject(object, port, null, sockets, ref.filter()));
    } finally {
      thread.setContextClassLoader(context);
    }
  }

  /** Ends the export; false if calls are running and {@code force} is not set. */
  boolean unexport(Remote object, boolean force) {
    try {
      return UnicastRemoteObject.unexportObject(object, force);
    } catch (NoSuchObjectException e) {
      return true; // another thread was faster
    }
  }
}

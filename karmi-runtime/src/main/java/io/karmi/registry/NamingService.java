package io.karmi.registry;

import io.karmi.id.ObjectId;
import io.karmi.reference.ServerRef;
import java.rmi.AlreadyBoundException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteServer;
import java.util.StringJoiner;

/**
 * A registry.
 *
 * <p>Callers in this JVM may write; what others may do is a matter of the {@link RegistrySkeleton}.
 * Its names are in a table of its own until peers without KaRMI are to see them, then in the
 * registry of stock RMI which those peers reach. Thread-safe.
 */
final class NamingService extends RemoteServer implements Registry {
  private static final long serialVersionUID = 1;

  private transient volatile Registry table = new NameTable();

  void exportedAs(ServerRef entry) {
    ref = entry;
  }

  /** Where it listens, for people. */
  String addresses() {
    ObjectId id = ((ServerRef) ref).id();
    StringJoiner addresses = new StringJoiner(", ");
    for (int i = 0; i < id.technologyCount(); i++) {
      addresses.add(id.technology(i).toString());
    }
    return addresses.toString();
  }

  /** Keeps all names in another registry from now on. */
  synchronized void moveInto(Registry other) throws RemoteException {
    Registry old = table;
    for (String name : old.list()) {
      try {
        other.rebind(name, old.lookup(name));
      } catch (NotBoundException e) {
        throw new IllegalStateException("nobody else can write meanwhile", e);
      }
    }
    table = other;
  }

  @Override
  public Remote lookup(String name) throws RemoteException, NotBoundException {
    return table.lookup(name);
  }

  @Override
  public synchronized void bind(String name, Remote object)
      throws RemoteException, AlreadyBoundException {
    table.bind(name, object);
  }

  @Override
  public synchronized void unbind(String name) throws RemoteException, NotBoundException {
    table.unbind(name);
  }

  @Override
  public synchronized void rebind(String name, Remote object) throws RemoteException {
    table.rebind(name, object);
  }

  @Override
  public String[] list() throws RemoteException {
    return table.list();
  }
}

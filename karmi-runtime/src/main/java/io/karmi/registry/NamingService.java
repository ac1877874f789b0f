package io.karmi.registry;

import io.karmi.id.ObjectId;
import io.karmi.reference.ServerRef;
import java.rmi.AlreadyBoundException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteServer;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A table of names and objects.
 *
 * <p>Callers in this JVM may write; what others may do is a matter of the {@link RegistrySkeleton}.
 * Thread-safe.
 */
final class NamingService extends RemoteServer implements Registry {
  private static final long serialVersionUID = 1;

  private final transient ConcurrentHashMap<String, Remote> bindings = new ConcurrentHashMap<>();

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

  @Override
  public Remote lookup(String name) throws NotBoundException {
    Remote bound = bindings.get(name);
    if (bound == null) {
      throw new NotBoundException(name);
    }
    return bound;
  }

  @Override
  public void bind(String name, Remote object) throws AlreadyBoundException {
    Objects.requireNonNull(object);
    if (bindings.putIfAbsent(name, object) != null) {
      throw new AlreadyBoundException(name);
    }
  }

  @Override
  public void unbind(String name) throws NotBoundException {
    if (bindings.remove(name) == null) {
      throw new NotBoundException(name);
    }
  }

  @Override
  public void rebind(String name, Remote object) {
    bindings.put(name, Objects.requireNonNull(object));
  }

  @Override
  public String[] list() {
    return bindings.keySet().toArray(new String[0]);
  }
}

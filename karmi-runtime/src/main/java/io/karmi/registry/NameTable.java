package io.karmi.registry;

import java.rmi.AlreadyBoundException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.registry.Registry;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** Names and objects, in memory. Thread-safe. */
final class NameTable implements Registry {
  private final ConcurrentHashMap<String, Remote> bindings = new ConcurrentHashMap<>();

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

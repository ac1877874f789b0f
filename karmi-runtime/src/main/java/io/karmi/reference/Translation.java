package io.karmi.reference;

import io.karmi.guard.AbsentNames;
import io.karmi.guard.ArrayNames;
import io.karmi.guard.ProxyClasses;
import java.io.ObjectInputFilter;
import java.net.MalformedURLException;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.server.RMIClassLoader;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteStub;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Translation of remote objects and classes at the border of a node. */
@SuppressWarnings("deprecation") // RemoteStub marks what must not be replaced again
final class Translation implements HomeNode.Border {
  /** Whether the program has set a class provider of its own, which then is asked first. */
  private static final boolean OWN_PROVIDER =
      Privileged.get(
          () ->
              !System.getProperty("java.rmi.server.RMIClassLoaderSpi", "default")
                  .equals("default"));

  private final HomeNode node;
  private final ExportTable exports;
  private final Collectors collectors;
  private final AbsentNames absent = AbsentNames.ofJvm();
  private final ProxyClasses proxies = ProxyClasses.ofJvm();

  Translation(HomeNode node, ExportTable exports, Collectors collectors) {
    this.node = node;
    this.exports = exports;
    this.collectors = collectors;
  }

  @Override
  public HomeNode home() {
    return node;
  }

  @Override
  public Object toStub(Object object) {
    if (!(object instanceof Remote)) {
      return object;
    }
    StoredForm stored = StoredForm.of(object);
    if (stored != null) {
      return stored.formInCall();
    }
    if (object instanceof RemoteStub) {
      return object;
    }
    ServerRef exported = exports.find((Remote) object);
    return exported == null ? stubOfStock((Remote) object) : exported.form();
  }

  /**
   * The stub of an object that stock RMI exports, for its own socket factories; it must not travel
   * as a copy either.
   */
  private static Object stubOfStock(Remote object) {
    try {
      return RemoteObject.toStub(object);
    } catch (NoSuchObjectException e) {
      return object;
    }
  }

  @Override
  public Class<?> resolveClass(String name, @Nullable ClassLoader defaultLoader)
      throws ClassNotFoundException {
    ArrayNames.check(name);
    ClassLoader first = firstLoader(defaultLoader);
    if (OWN_PROVIDER) {
      return askProvider(name, first);
    }
    absent.check(name, first);
    try {
      return Class.forName(name, false, first);
    } catch (ClassNotFoundException e) {
      return resolveElsewhere(name, first);
    }
  }

  private Class<?> resolveElsewhere(String name, ClassLoader first) throws ClassNotFoundException {
    try {
      return Class.forName(name, false, Thread.currentThread().getContextClassLoader());
    } catch (ClassNotFoundException e) {
      absent.add(name);
      return askProvider(name, first);
    }
  }

  /**
   * Asks the provider, never with a codebase that another node has named: code comes from this
   * JVM's codebase only.
   */
  private static Class<?> askProvider(String name, ClassLoader first)
      throws ClassNotFoundException {
    try {
      return RMIClassLoader.loadClass((String) null, name, first);
    } catch (MalformedURLException e) {
      throw noCodebase(e);
    }
  }

  private static ClassLoader firstLoader(@Nullable ClassLoader defaultLoader) {
    return defaultLoader != null ? defaultLoader : CallersLoader.find();
  }

  @Override
  public Class<?> resolveProxyClass(String[] interfaceNames, @Nullable ClassLoader defaultLoader)
      throws ClassNotFoundException {
    Class<?> found = findProxyClass(interfaceNames, firstLoader(defaultLoader));
    if (Remote.class.isAssignableFrom(found)) {
      node.stock().isMet();
    }
    return found;
  }

  private Class<?> findProxyClass(String[] interfaceNames, ClassLoader first)
      throws ClassNotFoundException {
    for (String name : interfaceNames) {
      ArrayNames.check(name); // of a lying peer
    }
    if (OWN_PROVIDER) {
      return askProvider(interfaceNames, first);
    }
    for (String name : interfaceNames) {
      absent.check(name, first);
    }
    try {
      return proxies.find(interfaceNames, first);
    } catch (ClassNotFoundException e) {
      return findElsewhere(interfaceNames);
    }
  }

  private Class<?> findElsewhere(String[] interfaceNames) throws ClassNotFoundException {
    try {
      return proxies.find(interfaceNames, Thread.currentThread().getContextClassLoader());
    } catch (ClassNotFoundException e) {
      for (String name : interfaceNames) {
        absent.add(name);
      }
      throw e;
    }
  }

  private static Class<?> askProvider(String[] interfaceNames, ClassLoader first)
      throws ClassNotFoundException {
    try {
      return RMIClassLoader.loadProxyClass(null, interfaceNames, first);
    } catch (MalformedURLException e) {
      throw noCodebase(e);
    }
  }

  private static ClassNotFoundException noCodebase(MalformedURLException e) {
    return new ClassNotFoundException("java.rmi.server.codebase is no list of URLs", e);
  }

  @Override
  public void referencesArrived(List<Object> references) {
    if (!collectors.isEmpty()) {
      collectors.arrived(references);
    }
  }

  @Override
  public @Nullable ObjectInputFilter defaultFilter() {
    return null;
  }
}

package io.karmi.reference;

import io.karmi.marshal.RemoteTranslation;
import java.io.ObjectInputFilter;
import java.lang.reflect.Proxy;
import java.rmi.NoSuchObjectException;
import java.rmi.Remote;
import java.rmi.server.RemoteObject;
import java.rmi.server.RemoteStub;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How remote objects and classes cross the border of a {@link Node}. */
@SuppressWarnings("deprecation") // RemoteStub marks what must not be replaced again
final class Translation implements RemoteTranslation {
  private final Node node;

  Translation(Node node) {
    this.node = node;
  }

  Node node() {
    return node;
  }

  @Override
  public Object toStub(Object object) {
    if (!(object instanceof Remote) || object instanceof RemoteStub) {
      return object;
    }
    if (object instanceof StoredForm) {
      return ((StoredForm) object).formInCall();
    }
    ServerRef exported = node.exported((Remote) object);
    return exported == null ? stubOfStock((Remote) object) : exported.form();
  }

  /**
   * What asked for sockets of its own is exported by stock RMI, and must not travel as a copy
   * either.
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
    try {
      return Class.forName(name, false, firstLoader(defaultLoader));
    } catch (ClassNotFoundException e) {
      return Class.forName(name, false, Thread.currentThread().getContextClassLoader());
    }
  }

  private static ClassLoader firstLoader(@Nullable ClassLoader defaultLoader) {
    return defaultLoader != null ? defaultLoader : CallersLoader.find();
  }

  @Override
  public Class<?> resolveProxyClass(String[] interfaceNames, @Nullable ClassLoader defaultLoader)
      throws ClassNotFoundException {
    Class<?> found;
    try {
      found = proxyClass(interfaceNames, firstLoader(defaultLoader));
    } catch (ClassNotFoundException e) {
      found = proxyClass(interfaceNames, Thread.currentThread().getContextClassLoader());
    }
    if (Remote.class.isAssignableFrom(found)) {
      node.stock().isMet();
    }
    return found;
  }

  @SuppressWarnings("deprecation") // the only way to the class of a proxy without making one
  private static Class<?> proxyClass(String[] interfaceNames, ClassLoader from)
      throws ClassNotFoundException {
    Class<?>[] interfaces = new Class<?>[interfaceNames.length];
    ClassLoader definer = from;
    for (int i = 0; i < interfaces.length; i++) {
      interfaces[i] = Class.forName(interfaceNames[i], false, from);
      if (!java.lang.reflect.Modifier.isPublic(interfaces[i].getModifiers())) {
        definer = interfaces[i].getClassLoader();
      }
    }
    try {
      return Proxy.getProxyClass(definer, interfaces);
    } catch (IllegalArgumentException e) {
      throw new ClassNotFoundException(
          "no proxy of " + String.join(", ", interfaceNames) + " in " + definer, e);
    }
  }

  @Override
  public void referencesArrived(List<Object> references) {
    if (!node.collectors().isEmpty()) {
      node.collectors().arrived(references);
    }
  }

  @Override
  public @Nullable ObjectInputFilter defaultFilter() {
    return null;
  }
}

package io.karmi.rmi;

import java.net.MalformedURLException;
import java.rmi.AlreadyBoundException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.util.Objects;

/**
 * Replacement of {@link java.rmi.Naming}: registries and the names in them by URL, {@code
 * [rmi:]//host:port/name}.
 *
 * <p>Every method throws {@link MalformedURLException} if the name is no such URL.
 */
public final class Naming {
  private Naming() {}

  /**
   * The object bound to a name; the registry itself if the URL ends after the port.
   *
   * @throws NotBoundException if nothing is
   */
  public static Remote lookup(String name)
      throws NotBoundException, MalformedURLException, RemoteException {
    NamingUrl url = NamingUrl.parse(name);
    Registry registry = registry(url);
    return url.name() == null ? registry : registry.lookup(url.name());
  }

  /**
   * Binds a name that is free.
   *
   * @throws AlreadyBoundException if it is not
   */
  public static void bind(String name, Remote object)
      throws AlreadyBoundException, MalformedURLException, RemoteException {
    NamingUrl url = NamingUrl.parse(name);
    registry(url).bind(url.name(), checked(object));
  }

  /**
   * Frees a name.
   *
   * @throws NotBoundException if it is free
   */
  public static void unbind(String name)
      throws RemoteException, NotBoundException, MalformedURLException {
    NamingUrl url = NamingUrl.parse(name);
    registry(url).unbind(url.name());
  }

  /** Binds a name, whether it is free or not. */
  public static void rebind(String name, Remote object)
      throws RemoteException, MalformedURLException {
    NamingUrl url = NamingUrl.parse(name);
    registry(url).rebind(url.name(), checked(object));
  }

  /** All names in a registry, as URLs without a scheme. */
  public static String[] list(String name) throws RemoteException, MalformedURLException {
    NamingUrl url = NamingUrl.parse(name);
    String[] names = registry(url).list();
    for (int i = 0; i < names.length; i++) {
      names[i] = "//" + url.host() + ":" + url.port() + "/" + names[i];
    }
    return names;
  }

  private static Remote checked(Remote object) {
    return Objects.requireNonNull(object, "cannot bind to null");
  }

  private static Registry registry(NamingUrl url) throws RemoteException {
    return LocateRegistry.getRegistry(url.host(), url.port());
  }
}

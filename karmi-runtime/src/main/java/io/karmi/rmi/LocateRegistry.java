package io.karmi.rmi;

import io.karmi.registry.Registries;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Replacement of {@link java.rmi.registry.LocateRegistry}.
 *
 * <p>A registry is found whichever runtime serves it. With socket factories it is always one of
 * stock RMI.
 */
public final class LocateRegistry {
  private LocateRegistry() {}

  /** The registry of the local host at port 1099; it is not contacted. */
  public static Registry getRegistry() throws RemoteException {
    return getRegistry(null, Registry.REGISTRY_PORT, null);
  }

  /** The registry of the local host at a port; it is not contacted. */
  public static Registry getRegistry(int port) throws RemoteException {
    return getRegistry(null, port, null);
  }

  /** The registry of a host at port 1099; it is not contacted. */
  public static Registry getRegistry(@Nullable String host) throws RemoteException {
    return getRegistry(host, Registry.REGISTRY_PORT, null);
  }

  /** The registry of a host at a port; it is not contacted. */
  public static Registry getRegistry(@Nullable String host, int port) throws RemoteException {
    return getRegistry(host, port, null);
  }

  /**
   * The registry of a host at a port; it is not contacted.
   *
   * @param clientFactory null for KaRMI's own connections
   */
  public static Registry getRegistry(
      @Nullable String host, int port, @Nullable RMIClientSocketFactory clientFactory)
      throws RemoteException {
    if (clientFactory == null) {
      return Registries.locate(host, port);
    }
    Exports.meetStock();
    return java.rmi.registry.LocateRegistry.getRegistry(host, port, clientFactory);
  }

  /** Creates a registry in this JVM; its port is also one of KaRMI's. */
  public static Registry createRegistry(int port) throws RemoteException {
    return Registries.create(port);
  }

  /** Creates a registry in this JVM; one of stock RMI if it is to have sockets of its own. */
  public static Registry createRegistry(
      int port,
      @Nullable RMIClientSocketFactory clientFactory,
      @Nullable RMIServerSocketFactory serverFactory)
      throws RemoteException {
    if (clientFactory == null && serverFactory == null) {
      return Registries.create(port);
    }
    Exports.meetStock();
    return java.rmi.registry.LocateRegistry.createRegistry(port, clientFactory, serverFactory);
  }
}

package io.karmi.registry;

import io.karmi.id.ObjectId;
import io.karmi.reference.Node;
import io.karmi.reference.Privileged;
import io.karmi.reference.ServerRef;
import io.karmi.stub.StubType;
import io.karmi.stub.StubTypes;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.rmi.server.ExportException;

/** Creates and locates registries. Thread-safe. */
public final class Registries {
  private Registries() {}

  /**
   * Creates a registry in this JVM. There may be several, each on its port; they do not keep the
   * JVM alive.
   *
   * @param port 0 for any
   * @throws ExportException if the port is in use, or has a registry
   */
  public static Registry create(int port) throws RemoteException {
    Privileged.checkListen(port);
    try {
      return Privileged.call(() -> createPermitted(port));
    } catch (RemoteException e) {
      throw e;
    } catch (BindException e) {
      throw new ExportException("Port already in use: " + port, e);
    } catch (IOException e) {
      throw new ExportException("Listen failed on port: " + port, e);
    }
  }

  private static Registry createPermitted(int port) throws IOException {
    NamingService service = new NamingService();
    StubType type = StubTypes.of(Registry.class);
    ServerRef entry =
        Node.current()
            .exportWellKnown(
                ObjectId.REGISTRY,
                service,
                new RegistrySkeleton(type.makeSkeleton()),
                type,
                port,
                RegistryFilter.INSTANCE);
    service.exportedAs(entry);
    return service;
  }

  /**
   * Makes a registry that was created here keep its names in another one from now on, together with
   * those it has. Does nothing to other objects.
   */
  public static void moveInto(Remote created, Registry other) throws RemoteException {
    if (created instanceof NamingService) {
      ((NamingService) created).moveInto(other);
    }
  }

  /**
   * The registry of a host at a port, whichever runtime serves it; it is not contacted before it is
   * used.
   *
   * @param host null or empty for the local host
   * @param port 0 or less for 1099
   */
  public static Registry locate(String host, int port) {
    return new RegistryStub(
        host == null || host.isEmpty() ? localHost() : host,
        port <= 0 ? Registry.REGISTRY_PORT : port);
  }

  private static String localHost() {
    try {
      return InetAddress.getLocalHost().getHostAddress();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}

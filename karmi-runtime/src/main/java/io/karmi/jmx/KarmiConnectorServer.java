package io.karmi.jmx;

import io.karmi.registry.Registries;
import java.io.IOException;
import java.rmi.AlreadyBoundException;
import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.rmi.server.ExportException;
import java.util.Map;
import javax.management.MBeanServer;
import javax.management.remote.JMXServiceURL;
import javax.management.remote.rmi.RMIConnectorServer;
import org.jspecify.annotations.Nullable;

/**
 * The server's end: the JDK's connector server, bound to a name in a registry.
 *
 * <p>The registry is the one at the port of the URL, and is created there if there is none; without
 * a port, at the port that the node listens at. It outlives the server, which unbinds its name when
 * it stops. Thread-safe.
 */
final class KarmiConnectorServer extends RMIConnectorServer {
  private static final System.Logger LOG = System.getLogger(KarmiConnectorServer.class.getName());

  private final ExportedServer server;
  private final Map<String, ?> environment;
  private final boolean rebinding;
  private ConnectorAddress address;
  private @Nullable Registry registry;

  KarmiConnectorServer(
      ConnectorAddress address,
      @Nullable Map<String, ?> environment,
      ExportedServer server,
      @Nullable MBeanServer beans)
      throws IOException {
    super(address.url(), environment, server, beans);
    this.address = address;
    this.server = server;
    this.environment = environment == null ? Map.of() : environment;
    Object rebind = environment == null ? null : environment.get(JNDI_REBIND_ATTRIBUTE);
    this.rebinding = rebind != null && Boolean.parseBoolean(rebind.toString());
  }

  @Override
  public synchronized void start() throws IOException {
    if (isActive()) {
      return;
    }
    Sockets.checkNone(environment);
    super.start();
    boolean bound = false;
    try {
      address = address.at(address.port() == 0 ? server.port() : address.port());
      Registry found = registryAt(address.port());
      bind(found);
      registry = found;
      bound = true;
    } finally {
      if (!bound) {
        super.stop();
      }
    }
  }

  /** The registry at a port, created if there is none. */
  private static Registry registryAt(int port) throws RemoteException {
    try {
      return Registries.create(port);
    } catch (ExportException e) {
      Registry other = Registries.locate("localhost", port);
      try {
        other.list();
        return other;
      } catch (RemoteException none) {
        e.addSuppressed(none);
        throw e;
      }
    }
  }

  private void bind(Registry found) throws IOException {
    if (rebinding) {
      found.rebind(address.name(), server.toStub());
      return;
    }
    try {
      found.bind(address.name(), server.toStub());
    } catch (AlreadyBoundException e) {
      throw new IOException(
          address.url()
              + ": the name is taken in the registry; stop the other server, take another name, or"
              + " set "
              + JNDI_REBIND_ATTRIBUTE
              + "=true",
          e);
    }
  }

  @Override
  public void stop() throws IOException {
    Registry left;
    synchronized (this) {
      left = registry;
      registry = null;
    }
    if (left != null) {
      try {
        left.unbind(address.name());
      } catch (NotBoundException | RemoteException e) {
        LOG.log(System.Logger.Level.INFO, address.url() + " cannot be unbound", e);
      }
    }
    super.stop();
  }

  /** The address that clients connect to, with the port that was chosen; null if not started. */
  @Override
  public synchronized @Nullable JMXServiceURL getAddress() {
    return isActive() ? address.url() : null;
  }
}

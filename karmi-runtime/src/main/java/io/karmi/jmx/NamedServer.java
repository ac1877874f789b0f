package io.karmi.jmx;

import io.karmi.registry.Registries;
import java.io.IOException;
import java.io.Serializable;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.registry.Registry;
import java.util.Arrays;
import javax.management.remote.rmi.RMIConnection;
import javax.management.remote.rmi.RMIServer;
import org.jspecify.annotations.Nullable;

/**
 * A connector server by its name in a registry. It is looked up for each call, which are few: one
 * for each connection. So a connector that connects once more finds a server that was restarted.
 */
final class NamedServer implements RMIServer, Serializable {
  private static final long serialVersionUID = 1;

  private final ConnectorAddress address;

  NamedServer(ConnectorAddress address) {
    this.address = address;
  }

  @Override
  public String getVersion() throws java.rmi.RemoteException {
    try {
      return find().getVersion();
    } catch (java.rmi.RemoteException e) {
      throw e;
    } catch (IOException e) {
      throw new java.rmi.RemoteException(e.getMessage(), e);
    }
  }

  @Override
  public RMIConnection newClient(@Nullable Object credentials) throws IOException {
    return find().newClient(credentials);
  }

  private RMIServer find() throws IOException {
    Registry registry = Registries.locate(address.host(), address.registryPort());
    try {
      Remote found = registry.lookup(address.name());
      if (found instanceof RMIServer) {
        return (RMIServer) found;
      }
      throw new IOException(
          address.url() + ": the object of that name is no JMX connector server but " + found);
    } catch (NotBoundException e) {
      throw new IOException(
          address.url()
              + ": the registry has no object of that name, only "
              + Arrays.toString(registry.list())
              + "; is the connector server started?",
          e);
    }
  }
}

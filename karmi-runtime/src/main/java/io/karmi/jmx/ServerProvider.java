package io.karmi.jmx;

import java.io.IOException;
import java.util.Map;
import javax.management.MBeanServer;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerProvider;
import javax.management.remote.JMXServiceURL;
import org.jspecify.annotations.Nullable;

/** Maker of the servers' ends; JMX looks it up as a service. */
public final class ServerProvider implements JMXConnectorServerProvider {
  /** For the service loader. */
  public ServerProvider() {}

  /** A connector server that is not started yet. */
  @Override
  public JMXConnectorServer newJMXConnectorServer(
      JMXServiceURL url, Map<String, ?> environment, @Nullable MBeanServer beans)
      throws IOException {
    ConnectorAddress address = ConnectorAddress.of(url);
    return new KarmiConnectorServer(
        address, environment, new ExportedServer(address.port(), environment), beans);
  }
}

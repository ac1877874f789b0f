package io.karmi.jmx;

import java.io.IOException;
import java.util.Map;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorProvider;
import javax.management.remote.JMXServiceURL;

/** Maker of the clients' ends; JMX looks it up as a service. */
public final class ClientProvider implements JMXConnectorProvider {
  /** For the service loader. */
  public ClientProvider() {}

  /** A connector that is not connected yet: the server is looked for by its {@code connect}. */
  @Override
  public JMXConnector newJMXConnector(JMXServiceURL url, Map<String, ?> environment)
      throws IOException {
    ConnectorAddress address = ConnectorAddress.of(url);
    return new KarmiConnector(address, environment);
  }
}

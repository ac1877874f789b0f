package io.karmi.jmx;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import javax.management.remote.JMXServiceURL;
import javax.management.remote.rmi.RMIConnector;
import org.jspecify.annotations.Nullable;

/** The client's end: the JDK's connector, with a server that is looked up in a KaRMI registry. */
final class KarmiConnector extends RMIConnector {
  private static final long serialVersionUID = 1;

  private final ConnectorAddress address;

  /** The settings that the connector was made with; lost where it is serialized, as the JDK's. */
  private final transient @Nullable Map<String, ?> environment;

  KarmiConnector(ConnectorAddress address, @Nullable Map<String, ?> environment) {
    super(new NamedServer(address), environment);
    this.address = address;
    this.environment = environment;
  }

  @Override
  @SuppressWarnings("BanJNDI") // the connector was given its server: nothing is looked up
  public synchronized void connect(@Nullable Map<String, ?> more) throws IOException {
    for (Map<String, ?> settings : Arrays.asList(environment, more)) {
      if (settings != null) {
        Sockets.checkNone(settings);
      }
    }
    super.connect(more);
  }

  @Override
  public JMXServiceURL getAddress() {
    return address.url();
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + ": " + address.url();
  }
}

package io.karmi.jmx;

import java.io.Serializable;
import java.net.MalformedURLException;
import java.rmi.registry.Registry;
import javax.management.remote.JMXServiceURL;

/**
 * Address of a connector server: the registry's host and port, and the server's name in it.
 *
 * @param host as the URL has it
 * @param port 0 where the URL has none
 * @param name without slashes at its ends
 */
record ConnectorAddress(String host, int port, String name) implements Serializable {
  private static final long serialVersionUID = 1;

  static final String PROTOCOL = "karmi";

  /** The name of a server whose URL has none; that of the JDK's own management agent. */
  private static final String DEFAULT_NAME = "jmxrmi";

  /**
   * The parts of a URL.
   *
   * @throws MalformedURLException if the protocol is another one
   */
  static ConnectorAddress of(JMXServiceURL url) throws MalformedURLException {
    if (!PROTOCOL.equals(url.getProtocol())) {
      throw new MalformedURLException(
          url + " has the protocol " + url.getProtocol() + ", not " + PROTOCOL);
    }
    String name = url.getURLPath().replaceFirst("^[/;]", "");
    if (name.contains("/") || name.contains(";")) {
      throw new MalformedURLException(
          url + " is not service:jmx:karmi://host:port/name: its name has a slash or semicolon");
    }
    return new ConnectorAddress(url.getHost(), url.getPort(), name.isEmpty() ? DEFAULT_NAME : name);
  }

  /** The same at another port. */
  ConnectorAddress at(int other) {
    return new ConnectorAddress(host, other, name);
  }

  /** The port of the registry: 1099 where the URL has none. */
  int registryPort() {
    return port == 0 ? Registry.REGISTRY_PORT : port;
  }

  /** The URL that leads to this address. */
  JMXServiceURL url() {
    try {
      return new JMXServiceURL(PROTOCOL, host, port, "/" + name);
    } catch (MalformedURLException e) {
      throw new IllegalStateException("parts of a URL that was well formed", e);
    }
  }
}

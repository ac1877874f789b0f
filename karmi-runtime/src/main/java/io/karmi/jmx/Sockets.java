package io.karmi.jmx;

import io.karmi.settings.Settings;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * Settings of the {@code rmi} connector for sockets of their own.
 *
 * <p>KaRMI's connections have one TLS setting for the whole node. A program that asks for TLS by
 * socket factories must not get connections without it, so the factories are refused unless the
 * node has TLS.
 */
final class Sockets {
  private static final List<String> FACTORIES =
      List.of(
          "jmx.remote.rmi.client.socket.factory",
          "jmx.remote.rmi.server.socket.factory",
          "com.sun.jndi.rmi.factory.socket");

  private static final String TLS_FACTORIES = "javax.rmi.ssl.";

  private Sockets() {}

  /**
   * Refuses socket factories, but for those of TLS in a node with TLS.
   *
   * @throws IOException that names the setting and what to set in its place
   */
  static void checkNone(Map<String, ?> environment) throws IOException {
    for (String setting : FACTORIES) {
      Object factory = environment.get(setting);
      if (factory != null && !(isTls(factory) && Settings.isTlsOn())) {
        throw new IOException(
            setting
                + "="
                + factory.getClass().getName()
                + " does not apply to connections of KaRMI; for TLS set the system property"
                + " karmi.tls on both ends and leave the factory out");
      }
    }
  }

  private static boolean isTls(Object factory) {
    return factory.getClass().getName().startsWith(TLS_FACTORIES);
  }
}

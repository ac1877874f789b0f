package io.karmi.tcp;

import java.util.function.UnaryOperator;

/**
 * Timeouts and limits, from system properties. Where RMI has a property for the same thing, it is
 * the default.
 *
 * <ul>
 *   <li>{@code karmi.connectTimeout}: milliseconds until a connection must be open, by default
 *       10,000
 *   <li>{@code karmi.handshakeTimeout}: milliseconds until both sides must have introduced
 *       themselves ({@code sun.rmi.transport.tcp.handshakeTimeout}, 60,000)
 *   <li>{@code karmi.callTimeout}: milliseconds that a caller waits for the next bytes of a reply,
 *       0 for ever ({@code sun.rmi.transport.tcp.responseTimeout}, 0)
 *   <li>{@code karmi.idleTimeout}: milliseconds until an idle connection is closed ({@code
 *       sun.rmi.transport.connectionTimeout}, 15,000)
 *   <li>{@code karmi.maxConnections}: how many connections of others are served at a time, by
 *       default 10,000
 *   <li>{@code karmi.virtualThreads}: calls of others run on virtual threads, where the JDK has
 *       them; by default false
 * </ul>
 *
 * <p>Immutable.
 */
final class TcpSettings {
  final long connectTimeoutMillis;
  final long handshakeTimeoutMillis;
  final int callTimeoutMillis;
  final long idleTimeoutMillis;
  final int maximumConnections;
  final boolean virtualThreads;

  private TcpSettings(UnaryOperator<String> properties) {
    connectTimeoutMillis = number(properties, 10_000, "karmi.connectTimeout");
    handshakeTimeoutMillis =
        number(
            properties, 60_000, "karmi.handshakeTimeout", "sun.rmi.transport.tcp.handshakeTimeout");
    callTimeoutMillis =
        (int) number(properties, 0, "karmi.callTimeout", "sun.rmi.transport.tcp.responseTimeout");
    idleTimeoutMillis =
        number(properties, 15_000, "karmi.idleTimeout", "sun.rmi.transport.connectionTimeout");
    maximumConnections = (int) number(properties, 10_000, "karmi.maxConnections");
    virtualThreads = Boolean.parseBoolean(properties.apply("karmi.virtualThreads"));
  }

  /** The first of the properties that is a number of at least 0, or the default. */
  private static long number(UnaryOperator<String> properties, long byDefault, String... names) {
    for (String name : names) {
      String text = properties.apply(name);
      if (text != null) {
        try {
          return Math.min(Integer.MAX_VALUE, Math.max(0, Long.parseLong(text.trim())));
        } catch (NumberFormatException e) {
          TcpTechnology.LOG.log(
              System.Logger.Level.WARNING, "{0}={1} is no number and is ignored", name, text);
        }
      }
    }
    return byDefault;
  }

  static TcpSettings fromProperties() {
    return new TcpSettings(System::getProperty);
  }

  /** Settings from properties that are not the system's. */
  static TcpSettings from(UnaryOperator<String> properties) {
    return new TcpSettings(properties);
  }
}

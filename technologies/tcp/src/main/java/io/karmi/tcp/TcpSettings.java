package io.karmi.tcp;

/**
 * Timeouts and limits, from system properties. Where RMI has a property for the same thing, it is the default.
 *
 * <ul>
 *   <li>{@code karmi.connectTimeout}: milliseconds until a connection must be open, by default 10,000
 *   <li>{@code karmi.handshakeTimeout}: milliseconds until both sides must have introduced themselves
 *       ({@code sun.rmi.transport.tcp.handshakeTimeout}, 60,000)
 *   <li>{@code karmi.callTimeout}: milliseconds that a caller waits for the next bytes of a reply, 0 for ever
 *       ({@code sun.rmi.transport.tcp.responseTimeout}, 0)
 *   <li>{@code karmi.idleTimeout}: milliseconds until an idle connection is closed
 *       ({@code sun.rmi.transport.connectionTimeout}, 15,000)
 *   <li>{@code karmi.maxConnections}: how many connections of others are served at a time, by default 10,000
 *   <li>{@code karmi.virtualThreads}: calls of others run on virtual threads, where the JDK has them; by default false
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

  private TcpSettings() {
    connectTimeoutMillis = Long.getLong("karmi.connectTimeout", 10_000);
    handshakeTimeoutMillis =
        Long.getLong(
            "karmi.handshakeTimeout",
            Long.getLong("sun.rmi.transport.tcp.handshakeTimeout", 60_000));
    callTimeoutMillis =
        Integer.getInteger(
            "karmi.callTimeout", Integer.getInteger("sun.rmi.transport.tcp.responseTimeout", 0));
    idleTimeoutMillis =
        Long.getLong(
            "karmi.idleTimeout", Long.getLong("sun.rmi.transport.connectionTimeout", 15_000));
    maximumConnections = Integer.getInteger("karmi.maxConnections", 10_000);
    virtualThreads = Boolean.getBoolean("karmi.virtualThreads");
  }

  static TcpSettings fromProperties() {
    return new TcpSettings();
  }
}

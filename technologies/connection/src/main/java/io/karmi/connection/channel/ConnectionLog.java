package io.karmi.connection.channel;

/** The logger of connections. */
public final class ConnectionLog {
  public static final System.Logger LOG = System.getLogger("io.karmi.connection");

  private ConnectionLog() {}
}

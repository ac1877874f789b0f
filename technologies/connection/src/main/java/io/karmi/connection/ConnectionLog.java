package io.karmi.connection;

/** The logger of this package. */
final class ConnectionLog {
  static final System.Logger LOG = System.getLogger("io.karmi.connection");

  private ConnectionLog() {}
}

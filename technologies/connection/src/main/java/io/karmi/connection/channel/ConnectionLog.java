package io.karmi.connection.channel;

import java.io.IOException;

/** The logger of connections. */
public final class ConnectionLog {
  public static final System.Logger LOG = System.getLogger("io.karmi.connection");

  private ConnectionLog() {}

  /** Notes why a connection that was accepted is of no more use. */
  public static void ended(String peerName, IOException reason) {
    LOG.log(System.Logger.Level.DEBUG, "connection from {0} ends: {1}", peerName, reason);
  }
}

package io.karmi.stock;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMISocketFactory;

/**
 * No sockets for stock RMI, because the node beside it has refused a setting: stock RMI must not
 * serve or call without what the setting was to do. Thread-safe.
 */
public final class RefusedSockets extends RMISocketFactory {
  private static final System.Logger LOG = System.getLogger(RefusedSockets.class.getName());

  private final String reason;

  private RefusedSockets(String reason) {
    this.reason = reason;
  }

  /** Has stock RMI of this JVM open none, wherever the program has no factory of its own. */
  public static void install(String reason) {
    try {
      RMISocketFactory.setSocketFactory(new RefusedSockets(reason));
    } catch (IOException e) {
      LOG.log(Level.WARNING, "the program's own RMISocketFactory stays in use: " + reason, e);
    }
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    throw new IOException(reason);
  }

  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    throw new IOException(reason);
  }
}

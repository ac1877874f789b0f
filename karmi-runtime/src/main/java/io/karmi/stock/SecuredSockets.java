package io.karmi.stock;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.ServerSocket;
import java.rmi.server.RMIServerSocketFactory;
import java.rmi.server.RMISocketFactory;
import javax.net.ssl.SSLServerSocket;
import javax.rmi.ssl.SslRMIServerSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Server sockets of the program's own that must speak TLS, because the node beside stock RMI does:
 * an export with any others fails, and says why. Thread-safe if they are.
 */
public final class SecuredSockets implements RMIServerSocketFactory {
  private static final System.Logger LOG = System.getLogger(SecuredSockets.class.getName());

  /** Factory for stock RMI where the program has none; null if this node speaks no TLS. */
  private static volatile @Nullable RMISocketFactory secured;

  private final RMIServerSocketFactory made;

  private SecuredSockets(RMIServerSocketFactory made) {
    this.made = made;
  }

  /**
   * Installs these sockets in stock RMI of this JVM, wherever the program has none of its own.
   *
   * <p>A program that has chosen sockets for all its exports and calls keeps them: what it exports
   * with them is checked, and where its calls go is its own choice.
   */
  public static void install(RMISocketFactory sockets) {
    secured = sockets;
    try {
      RMISocketFactory.setSocketFactory(sockets);
    } catch (IOException e) {
      LOG.log(
          Level.WARNING,
          "the program has an RMISocketFactory of its own: calls of stubs of stock RMI use it, with"
              + " or without TLS (karmi.tls)",
          e);
    }
  }

  /**
   * The sockets that an export on stock RMI takes in place of the given ones; these themselves if
   * they are secured, or need not be.
   *
   * @param server null for stock RMI's default
   */
  public static @Nullable RMIServerSocketFactory checked(@Nullable RMIServerSocketFactory server) {
    if (secured == null || isTls(server)) {
      return server;
    }
    RMIServerSocketFactory chosen = server != null ? server : RMISocketFactory.getSocketFactory();
    if (chosen == secured) {
      return server;
    }
    return new SecuredSockets(chosen != null ? chosen : RMISocketFactory.getDefaultSocketFactory());
  }

  private static boolean isTls(@Nullable RMIServerSocketFactory server) {
    return server instanceof SecuredSockets || server instanceof SslRMIServerSocketFactory;
  }

  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    ServerSocket socket = made.createServerSocket(port);
    if (socket instanceof SSLServerSocket) {
      return socket;
    }
    socket.close();
    throw new IOException(
        "karmi.tls is set, and "
            + made.getClass().getName()
            + " makes server sockets without TLS ("
            + socket.getClass().getName()
            + "); export without socket factories, or with javax.rmi.ssl.SslRMIServerSocketFactory");
  }

  /** As the factory itself: stock RMI compares them to find out which exports share a port. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SecuredSockets && ((SecuredSockets) other).made.equals(made);
  }

  @Override
  public int hashCode() {
    return made.hashCode();
  }
}

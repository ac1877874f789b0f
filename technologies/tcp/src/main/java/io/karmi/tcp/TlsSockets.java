package io.karmi.tcp;

import io.karmi.connection.channel.HostAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMISocketFactory;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Sockets of stock RMI beside a node with {@code karmi.tls}: exports and calls without a socket
 * factory of the program use the node's TLS. Thread-safe.
 */
final class TlsSockets extends RMISocketFactory {
  private final Tls tls;
  private final TcpSettings settings;

  TlsSockets(Tls tls, TcpSettings settings) {
    this.tls = tls;
    this.settings = settings;
  }

  /** The program's own factory of all sockets; null if it has set none. */
  static @Nullable RMISocketFactory ofProgram() {
    RMISocketFactory set = RMISocketFactory.getSocketFactory();
    return set instanceof TlsSockets ? null : set;
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    Socket plain = new Socket();
    try {
      plain.connect(new InetSocketAddress(host, port), millis(settings.connectTimeoutMillis));
      plain.setSoTimeout(millis(settings.handshakeTimeoutMillis));
      SSLSocket secure = tls.connect(plain, new HostAddress(host, port));
      secure.setSoTimeout(0);
      return secure;
    } catch (IOException | RuntimeException e) {
      Connector.closeQuietly(plain);
      throw e;
    }
  }

  private static int millis(long millis) {
    return (int) Math.min(millis, Integer.MAX_VALUE);
  }

  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    tls.check();
    return new Secured(port);
  }

  /** Accepts connections whose handshake takes place when stock RMI first reads them. */
  private final class Secured extends ServerSocket {
    Secured(int port) throws IOException {
      super(port);
    }

    @Override
    public Socket accept() throws IOException {
      Socket plain = super.accept();
      try {
        return tls.acceptLater(plain);
      } catch (IOException | RuntimeException e) {
        Connector.closeQuietly(plain);
        throw e;
      }
    }
  }
}

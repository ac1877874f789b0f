package io.karmi.contract.hostile;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A TCP port of this host at which a node with TLS listens, for peers that it trusts. */
public final class TlsDoor implements Door {
  private final SocketDoor below;
  private final int port;
  private final SSLContext context;

  /**
   * The port of the loopback address.
   *
   * @param context with a key that the node trusts
   */
  public TlsDoor(int port, SSLContext context) {
    this(port, context, new SocketDoor(port));
  }

  /** The same port behind another door. */
  public TlsDoor(int port, SSLContext context, SocketDoor below) {
    this.port = port;
    this.context = context;
    this.below = below;
  }

  @Override
  public Channel open() throws IOException {
    Socket socket = below.connect();
    boolean open = false;
    try {
      Channel channel = SocketDoor.channel(secured(socket), socket);
      open = true;
      return channel;
    } finally {
      if (!open) {
        socket.close();
      }
    }
  }

  /** TLS over a connection to the port; the handshake is over. */
  SSLSocket secured(Socket socket) throws IOException {
    String host = InetAddress.getLoopbackAddress().getHostAddress();
    SSLSocket secured =
        (SSLSocket) context.getSocketFactory().createSocket(socket, host, port, true);
    secured.startHandshake();
    return secured;
  }

  /** Bytes and TLS do not matter to each other there. */
  @Override
  public Channel openBelow() throws IOException {
    return below.open();
  }

  /** A connection to the port over which nothing has been said. */
  Socket connect() throws IOException {
    return below.connect();
  }

  /** A peer that the node trusts, for what it says before and in its handshake. */
  SSLContext context() {
    return context;
  }
}

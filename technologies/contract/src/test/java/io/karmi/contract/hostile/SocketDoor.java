package io.karmi.contract.hostile;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/** A TCP port of this host at which a node listens. */
public final class SocketDoor implements Door {
  private static final int CONNECT_MILLIS = 10_000;
  private static final int READ_MILLIS = 60_000;

  private static final byte[] OTHER_HOST = {127, 0, 0, 2};

  private final InetSocketAddress address;
  private final @Nullable InetSocketAddress from;

  /** The port of the loopback address. */
  public SocketDoor(int port) {
    this(port, null);
  }

  private SocketDoor(int port, @Nullable InetSocketAddress from) {
    this.from = from;
    address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** The same port for clients of an address that no one else uses: for the node, another host. */
  public static SocketDoor ofOtherHost(int port) throws IOException {
    return new SocketDoor(port, new InetSocketAddress(InetAddress.getByAddress(OTHER_HOST), 0));
  }

  @Override
  public Channel open() throws IOException {
    return channel(connect());
  }

  /** A socket that is connected, and waits for no read without end. */
  Socket connect() throws IOException {
    Socket socket = new Socket();
    boolean connected = false;
    try {
      socket.bind(from);
      socket.connect(address, CONNECT_MILLIS);
      socket.setSoTimeout(READ_MILLIS);
      connected = true;
      return socket;
    } finally {
      if (!connected) {
        socket.close();
      }
    }
  }

  /** A socket that is connected. */
  public static Channel channel(Socket socket) throws IOException {
    return channel(socket, socket);
  }

  /**
   * A socket that is connected.
   *
   * @param below what is closed: TLS itself may first read for {@link #READ_MILLIS} what its peer
   *     might still send
   */
  static Channel channel(Socket socket, Socket below) throws IOException {
    socket.setSoTimeout(READ_MILLIS);
    socket.setTcpNoDelay(true);
    return new SocketChannel(socket, below);
  }

  private record SocketChannel(Socket socket, Socket below) implements Channel {
    @Override
    public InputStream in() throws IOException {
      return socket.getInputStream();
    }

    @Override
    public OutputStream out() throws IOException {
      return socket.getOutputStream();
    }

    @Override
    public void endOutput() throws IOException {
      socket.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
      below.close();
    }
  }
}

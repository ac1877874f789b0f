package io.karmi.contract.hostile;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A TCP port of this host at which a node listens. */
public final class SocketDoor implements Door {
  private static final int CONNECT_MILLIS = 10_000;
  private static final int READ_MILLIS = 10_000;

  private final InetSocketAddress address;

  /** The port of the loopback address. */
  public SocketDoor(int port) {
    address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  @Override
  public Channel open() throws IOException {
    return channel(connect());
  }

  /** A socket that is connected, and waits for no read without end. */
  Socket connect() throws IOException {
    Socket socket = new Socket();
    socket.connect(address, CONNECT_MILLIS);
    socket.setSoTimeout(READ_MILLIS);
    return socket;
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

package io.karmi.uds;

import io.karmi.connection.channel.ChannelListener;
import io.karmi.id.TechnologyId;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.function.BiConsumer;

/** Listener at one Unix-domain socket. */
final class UdsListener extends ChannelListener {
  private final Path socket;
  private final SocketFiles files;
  private final LocalTechnology technology;

  private UdsListener(
      ServerSocketChannel server,
      LocalTechnology technology,
      Path socket,
      SocketFiles files,
      BiConsumer<SocketChannel, TechnologyId> acceptor) {
    super(server, new TechnologyId(technology.name(), socket.getFileName().toString()), acceptor);
    this.technology = technology;
    this.socket = socket;
    this.files = files;
  }

  /**
   * Binds a new socket.
   *
   * @param files keeps the socket's path until the listener is closed
   */
  static UdsListener open(
      LocalTechnology technology,
      SocketDirectory directory,
      SocketFiles files,
      BiConsumer<SocketChannel, TechnologyId> acceptor)
      throws IOException {
    Path socket = directory.newSocket();
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    boolean bound = false;
    try {
      files.add(socket);
      server.bind(UnixDomainSocketAddress.of(socket), BACKLOG);
      bound = true;
      return new UdsListener(server, technology, socket, files, acceptor);
    } finally {
      if (!bound) {
        server.close();
        files.remove(socket);
      }
    }
  }

  @Override
  protected void afterBegin() {
    technology.prepare();
    SocketDirectory.removeLeftovers(socket);
  }

  @Override
  protected void afterClose() {
    files.remove(socket);
  }
}

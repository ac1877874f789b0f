package io.karmi.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.connection.channel.Handshake;
import io.karmi.id.NodeId;
import io.karmi.id.TechnologyId;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** An end that opens a connection as a node does, up to where it is told the path of the memory. */
final class ManualOpener implements Closeable {
  final SocketChannel bell;
  final DataInputStream in;

  /** The file that the other end has made. */
  final Path file;

  ManualOpener(TechnologyId way) throws IOException {
    this(way, "uka");
  }

  ManualOpener(TechnologyId way, String format) throws IOException {
    bell = SocketChannel.open(StandardProtocolFamily.UNIX);
    bell.connect(UnixDomainSocketAddress.of(socket(way)));
    new Handshake(NodeId.random(), List.of(format)).write(Channels.newOutputStream(bell));
    in = new DataInputStream(Channels.newInputStream(bell));
    assertThat(Handshake.read(in).formats).containsExactly(format);
    file = Path.of(in.readUTF());
  }

  /** Where a node of this user listens. */
  static Path socket(TechnologyId way) {
    String runtime = System.getenv("XDG_RUNTIME_DIR");
    String user = System.getProperty("user.name");
    Path inTemporary = Path.of(System.getProperty("java.io.tmpdir"), "karmi-" + user);
    Path found = inTemporary.resolve(way.address());
    return Files.exists(found) || runtime == null
        ? found
        : Path.of(runtime, "karmi", way.address());
  }

  @Override
  public void close() throws IOException {
    bell.close();
  }
}

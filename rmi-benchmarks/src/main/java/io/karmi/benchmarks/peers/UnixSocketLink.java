package io.karmi.benchmarks.peers;

import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** A Unix domain socket, blocking, through one direct buffer per side. */
final class UnixSocketLink implements Link {
  private final SocketChannel channel;
  private ByteBuffer buffer = ByteBuffer.allocateDirect(8192);

  private UnixSocketLink(SocketChannel channel) {
    this.channel = channel;
  }

  static Link serve(DataOutputStream control) throws IOException {
    Path folder = Files.createTempDirectory("karmi-bench");
    Path path = folder.resolve("s");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(path));
      control.writeUTF(path.toString());
      return new UnixSocketLink(server.accept());
    } finally {
      Files.deleteIfExists(path);
      Files.delete(folder);
    }
  }

  static Link connect(String path) throws IOException {
    return new UnixSocketLink(SocketChannel.open(UnixDomainSocketAddress.of(path)));
  }

  @Override
  public void send(byte[] message) throws IOException {
    ByteBuffer out = room(message.length);
    out.put(message).flip();
    while (out.hasRemaining()) {
      channel.write(out);
    }
  }

  @Override
  public void receive(byte[] message) throws IOException {
    ByteBuffer in = room(message.length);
    while (in.hasRemaining()) {
      if (channel.read(in) < 0) {
        throw new EOFException();
      }
    }
    in.flip().get(message);
  }

  private ByteBuffer room(int length) {
    if (buffer.capacity() < length) {
      buffer = ByteBuffer.allocateDirect(length);
    }
    return buffer.clear().limit(length);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}

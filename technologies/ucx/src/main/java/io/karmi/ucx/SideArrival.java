package io.karmi.ucx;

import io.karmi.connection.Arrival;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A TCP connection that has been accepted.
 *
 * @param host its address
 */
record SideArrival(SocketChannel channel, @Nullable Object host) implements Arrival {
  SideArrival(SocketChannel channel) {
    this(channel, channel.socket().getInetAddress());
  }

  @Override
  public OutputStream output() {
    return Channels.newOutputStream(channel);
  }

  @Override
  public void endOutput() throws IOException {
    channel.shutdownOutput();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}

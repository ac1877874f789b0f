package io.karmi.connection.channel;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * A channel that has been accepted.
 *
 * @param host the other end's host; null if the network has no hosts
 * @param peerName the host of the other end, as a callee is told it
 */
public record ChannelArrival(SocketChannel channel, @Nullable Object host, String peerName)
    implements Arrival {
  @Override
  public OutputStream output() {
    return Channels.newOutputStream(channel);
  }

  @Override
  public void endInput() throws IOException {
    channel.shutdownInput();
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

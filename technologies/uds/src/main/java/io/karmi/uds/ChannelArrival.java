package io.karmi.uds;

import io.karmi.connection.Arrival;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;

/** A channel that has been accepted. */
record ChannelArrival(SocketChannel channel) implements Arrival {
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

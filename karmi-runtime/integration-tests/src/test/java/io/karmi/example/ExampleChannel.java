package io.karmi.example;

import io.karmi.connection.channel.Arrival;
import io.karmi.connection.channel.Introduction;
import io.karmi.connection.channel.NodeChannel;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;

/** A socket, as the call protocol sees it. */
final class ExampleChannel extends NodeChannel {
  private final Socket socket;

  ExampleChannel(Introduction introduction, Socket socket) {
    super(introduction);
    this.socket = socket;
  }

  @Override
  public int receive(byte[] to, int offset, int length) throws IOException {
    return socket.getInputStream().read(to, offset, length);
  }

  @Override
  public void send(byte[] from, int offset, int length) throws IOException {
    socket.getOutputStream().write(from, offset, length);
  }

  @Override
  public void setReceiveTimeout(int millis) throws IOException {
    socket.setSoTimeout(millis);
  }

  @Override
  public String peerName() {
    return socket.getInetAddress().getHostAddress();
  }

  @Override
  protected void closeChannel() throws IOException {
    socket.close();
  }

  /** A socket that has been accepted. */
  record Accepted(Socket socket) implements Arrival {
    @Override
    public OutputStream output() throws IOException {
      return socket.getOutputStream();
    }

    @Override
    public void endInput() throws IOException {
      socket.shutdownInput();
    }

    @Override
    public void endOutput() throws IOException {
      socket.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}

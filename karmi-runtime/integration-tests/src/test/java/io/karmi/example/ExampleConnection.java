package io.karmi.example;

import io.karmi.connection.Arrival;
import io.karmi.connection.CallConnection;
import io.karmi.connection.Introduction;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;

/** A socket, as the call protocol sees it. */
final class ExampleConnection extends CallConnection {
  private final Socket socket;

  ExampleConnection(Introduction introduction, Socket socket) {
    super(introduction);
    this.socket = socket;
  }

  @Override
  protected int receive(byte[] to, int offset, int length) throws IOException {
    return socket.getInputStream().read(to, offset, length);
  }

  @Override
  protected void send(byte[] from, int offset, int length) throws IOException {
    socket.getOutputStream().write(from, offset, length);
  }

  @Override
  protected void setReceiveTimeout(int millis) throws IOException {
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
    public void endOutput() throws IOException {
      socket.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}

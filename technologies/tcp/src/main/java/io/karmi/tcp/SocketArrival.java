package io.karmi.tcp;

import io.karmi.connection.Arrival;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;

/** A socket that has been accepted. */
record SocketArrival(Socket socket) implements Arrival {
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

package io.karmi.tcp;

import io.karmi.connection.channel.Arrival;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/**
 * A socket that has been accepted.
 *
 * @param host its address
 */
record SocketArrival(Socket socket, @Nullable Object host) implements Arrival {
  SocketArrival(Socket socket) {
    this(socket, socket.getInetAddress());
  }

  @Override
  public OutputStream output() throws IOException {
    return socket.getOutputStream();
  }

  @Override
  public boolean mayWait() {
    return socket.getClass() != Socket.class;
  }

  @Override
  public void endInput() throws IOException {
    if (mayWait()) {
      close();
    } else {
      socket.shutdownInput();
    }
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

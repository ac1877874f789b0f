package io.karmi.tcp;

import io.karmi.connection.channel.Arrival;
import io.karmi.connection.channel.Introducer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/**
 * A socket that has been accepted.
 *
 * @param host its address
 * @param tls whether the other end is to use TLS
 */
record SocketArrival(Socket socket, @Nullable Object host, boolean tls) implements Arrival {
  SocketArrival(Socket socket, boolean tls) {
    this(socket, socket.getInetAddress(), tls);
  }

  @Override
  public void refuse(Introducer introducer, String reason) throws IOException {
    if (tls) {
      Tls.refuse(socket);
    } else {
      introducer.refuse(output(), reason);
    }
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

package io.karmi.tcp;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketOption;

/**
 * Kernel keep-alive of sockets, to notice a lost host on connections that are silent for long and
 * whose end matters.
 */
final class KeepAlive {
  private static final int IDLE_SECONDS = 30;

  private KeepAlive() {}

  /** Turns it on; with less than the usual two hours of silence where the JDK can ask for that. */
  static void set(Socket socket) {
    try {
      socket.setKeepAlive(true);
      for (SocketOption<?> option : socket.supportedOptions()) {
        if (option.name().equals("TCP_KEEPIDLE")) {
          setSeconds(socket, option);
        }
      }
    } catch (IOException | UnsupportedOperationException e) {
      Tcp.LOG.log(System.Logger.Level.DEBUG, "no keep-alive", e);
    }
  }

  /** Sets an option whose type is in a module that may be absent. */
  @SuppressWarnings("unchecked")
  private static void setSeconds(Socket socket, SocketOption<?> option) throws IOException {
    if (option.type() == Integer.class) {
      socket.setOption((SocketOption<Integer>) option, IDLE_SECONDS);
    }
  }
}

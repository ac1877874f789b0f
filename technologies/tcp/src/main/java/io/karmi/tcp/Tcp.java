package io.karmi.tcp;

import java.net.InetAddress;
import java.net.Socket;

/** Name and logger of this technology, and names of the ends of sockets. */
final class Tcp {
  static final String NAME = "tcp";
  static final System.Logger LOG = System.getLogger("io.karmi.tcp");

  private Tcp() {}

  /**
   * The host at the other end of a socket, by number; {@code 0.0.0.0} if a socket of the program's
   * own does not say, as on stock RMI.
   */
  static String hostOf(Socket socket) {
    InetAddress address = socket.getInetAddress();
    return address == null ? "0.0.0.0" : address.getHostAddress();
  }
}

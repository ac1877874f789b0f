package io.karmi.hostile;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/** A port that is another's: it passes bytes on, in both directions, until it is closed. */
final class Relay implements AutoCloseable {
  private final ServingPort serving;
  private final int to;

  Relay(int to) throws IOException {
    this.to = to;
    serving = new ServingPort(this::relay);
  }

  int port() {
    return serving.port();
  }

  private void relay(Socket caller) throws IOException {
    try (Socket callee = new Socket(InetAddress.getByName("127.0.0.1"), to)) {
      ServingPort.start(() -> pass(callee, caller));
      pass(caller, callee);
    }
  }

  static void pass(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      return; // one end is gone, and the other one learns of it
    }
  }

  @Override
  public void close() throws IOException {
    serving.close();
  }
}

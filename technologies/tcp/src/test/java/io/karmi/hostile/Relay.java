package io.karmi.hostile;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A port that is another's: it passes bytes on, in both directions, until it is closed. */
final class Relay implements AutoCloseable {
  private final ServerSocket listening =
      new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final int to;

  Relay(int to) throws IOException {
    this.to = to;
    start(this::acceptAll);
  }

  int port() {
    return listening.getLocalPort();
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "relay");
    thread.setDaemon(true);
    thread.start();
  }

  private void acceptAll() {
    try {
      while (true) {
        Socket caller = listening.accept();
        sockets.add(caller);
        Socket callee = new Socket(listening.getInetAddress(), to);
        sockets.add(callee);
        start(() -> pass(caller, callee));
        start(() -> pass(callee, caller));
      }
    } catch (IOException e) {
      return; // the test is over
    }
  }

  private static void pass(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      return; // one end is gone, and the other one learns of it
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket each : sockets) {
      each.close();
    }
  }
}

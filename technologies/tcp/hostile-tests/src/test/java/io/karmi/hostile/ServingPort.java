package io.karmi.hostile;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A port of this host at which each socket is served by a thread of its own, until it is closed.
 */
final class ServingPort implements AutoCloseable {
  private final ServerSocket listening =
      new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();

  /** Serves a socket; it need not close it. */
  interface Service {
    void serve(Socket socket) throws IOException;
  }

  ServingPort(Service service) throws IOException {
    start(() -> acceptAll(service));
  }

  int port() {
    return listening.getLocalPort();
  }

  static void start(Runnable work) {
    Thread thread = new Thread(work, "serving port");
    thread.setDaemon(true);
    thread.start();
  }

  private void acceptAll(Service service) {
    try {
      while (true) {
        Socket socket = listening.accept();
        sockets.add(socket);
        start(() -> serve(service, socket));
      }
    } catch (IOException e) {
      return; // the test is over
    }
  }

  private static void serve(Service service, Socket socket) {
    try (socket) {
      service.serve(socket);
    } catch (IOException e) {
      return; // the other end has gone
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

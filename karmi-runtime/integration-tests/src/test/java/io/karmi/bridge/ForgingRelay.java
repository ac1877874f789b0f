package io.karmi.bridge;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What lies between two nodes: it passes bytes on, and puts another object's number in place of
 * one. Ends with its JVM.
 */
final class ForgingRelay {
  private final ServerSocket listener =
      new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress());
  private final String host;
  private final int port;
  private final byte[] number;
  private volatile byte[] replacement;

  /**
   * A relay that changes nothing yet.
   *
   * @param target a {@code host:port}
   * @param number what is to be replaced, in either direction
   */
  ForgingRelay(String target, long number) throws IOException {
    int colon = target.lastIndexOf(':');
    host = target.substring(0, colon);
    port = Integer.parseInt(target.substring(colon + 1));
    this.number = bytes(number);
    replacement = this.number;
    start(this::accept);
  }

  private static byte[] bytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(number).array();
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "relay");
    thread.setDaemon(true);
    thread.start();
  }

  String address() {
    return "127.0.0.1:" + listener.getLocalPort();
  }

  void replaceBy(long other) {
    replacement = bytes(other);
  }

  private void accept() {
    try {
      while (true) {
        Socket caller = listener.accept();
        Socket callee = new Socket(host, port);
        start(() -> pass(caller, callee));
        start(() -> pass(callee, caller));
      }
    } catch (IOException e) {
      System.out.println("relay ended: " + e);
    }
  }

  /** Small messages come in one piece each. */
  private void pass(Socket from, Socket to) {
    byte[] buffer = new byte[1 << 16];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        forge(buffer, count);
        out.write(buffer, 0, count);
      }
    } catch (IOException e) {
      // One end is gone; the other one learns of it.
    }
  }

  private void forge(byte[] buffer, int count) {
    ByteBuffer all = ByteBuffer.wrap(buffer, 0, count);
    ByteBuffer wanted = ByteBuffer.wrap(number);
    for (int i = 0; i + Long.BYTES <= count; i++) {
      if (all.slice(i, Long.BYTES).equals(wanted)) {
        all.put(i, replacement);
      }
    }
  }
}

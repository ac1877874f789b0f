package io.karmi.benchmarks.peers;

import io.karmi.benchmarks.measure.ProcessCounters;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * Answers requests of a fixed number of bytes with a fixed number of bytes, and does nothing else:
 * what no RMI can beat on this machine.
 *
 * <p>A client first sends both numbers as ints, then request after request. A request of {@link
 * #METER} bytes asks how much this JVM has allocated, one of {@link #STOP} ends it.
 */
public final class SocketServer {
  static final int METER = -1;
  static final int STOP = -2;

  private SocketServer() {}

  public static void main(String[] args) throws IOException {
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      System.out.println("port " + server.getLocalPort());
      boolean stopped = false;
      while (!stopped) {
        stopped = serve(server.accept());
      }
    }
  }

  /** Answers a client in a thread of its own; true after {@link #STOP}. */
  private static boolean serve(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    DataInputStream numbers = new DataInputStream(socket.getInputStream());
    int request = numbers.readInt();
    int response = numbers.readInt();
    if (request > 0) {
      Thread thread = new Thread(() -> answer(socket, new byte[request], new byte[response]));
      thread.setDaemon(true);
      thread.start();
      return false;
    }
    try (socket) {
      if (request == METER) {
        new DataOutputStream(socket.getOutputStream()).writeLong(ProcessCounters.allocatedBytes());
      }
      return request == STOP;
    }
  }

  private static void answer(Socket socket, byte[] request, byte[] response) {
    try (socket) {
      InputStream in = socket.getInputStream();
      OutputStream out = socket.getOutputStream();
      while (true) {
        readFully(in, request);
        out.write(response);
      }
    } catch (IOException e) {
      /* The client has left. */
    }
  }

  static void readFully(InputStream in, byte[] bytes) throws IOException {
    int position = 0;
    while (position < bytes.length) {
      int count = in.read(bytes, position, bytes.length - position);
      if (count < 0) {
        throw new EOFException();
      }
      position += count;
    }
  }
}

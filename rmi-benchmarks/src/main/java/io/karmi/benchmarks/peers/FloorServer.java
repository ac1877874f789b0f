package io.karmi.benchmarks.peers;

import io.karmi.benchmarks.measure.Parent;
import io.karmi.benchmarks.measure.Use;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * Sockets without objects and calls, the lower bound of RMI over TCP: answers requests of a fixed
 * number of bytes with a fixed number of bytes, by one write and, mostly, one read for each.
 *
 * <p>A client first sends both numbers as ints, then request after request. {@link #METER} asks
 * what this JVM has used, {@link #STOP} ends it.
 */
public final class FloorServer {
  static final int METER = -1;
  static final int STOP = -2;

  private FloorServer() {}

  public static void main(String[] args) throws IOException {
    try (ServerSocket server = new ServerSocket(0, 50, PeerAddress.ofThisJvm())) {
      System.out.println("port " + server.getLocalPort());
      Parent.endWithIt();
      boolean stopped = false;
      while (!stopped) {
        stopped = serve(server.accept());
      }
      Parent.stopWaiting();
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
        Use use = Use.ofThisJvm();
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        out.writeLong(use.allocatedBytes());
        out.writeLong(use.cpuNanos());
      }
      return request == STOP;
    }
  }

  private static void answer(Socket socket, byte[] request, byte[] response) {
    try (socket) {
      while (true) {
        read(socket, request);
        socket.getOutputStream().write(response);
      }
    } catch (IOException e) {
      /* The client has left. */
    }
  }

  /** Fills the array; an {@link IOException} when the peer is gone. */
  static void read(Socket from, byte[] message) throws IOException {
    if (from.getInputStream().readNBytes(message, 0, message.length) < message.length) {
      throw new EOFException();
    }
  }
}

package io.karmi.benchmarks.peers;

import io.karmi.benchmarks.measure.Parent;
import io.karmi.benchmarks.measure.Use;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * Answers requests of a fixed number of bytes with a fixed number of bytes.
 *
 * <p>Argument: the {@link Floor}. A client first sends both numbers as ints, then request after
 * request on the link. {@link #METER} asks what this JVM has used, {@link #STOP} ends it.
 */
public final class FloorServer {
  static final int METER = -1;
  static final int STOP = -2;

  private FloorServer() {}

  public static void main(String[] args) throws IOException {
    Floor floor = Floor.valueOf(args[0]);
    try (ServerSocket server = new ServerSocket(0, 50, Address.ofThisJvm())) {
      System.out.println("port " + server.getLocalPort());
      Parent.endWithIt();
      boolean stopped = false;
      while (!stopped) {
        stopped = serve(floor, server.accept());
      }
      Parent.stopWaiting();
    }
    /* Threads of the network's library may be no daemons. */
    System.exit(0);
  }

  /** Answers a client in a thread of its own; true after {@link #STOP}. */
  private static boolean serve(Floor floor, Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    DataInputStream numbers = new DataInputStream(socket.getInputStream());
    int request = numbers.readInt();
    int response = numbers.readInt();
    if (request > 0) {
      Thread thread = new Thread(() -> answer(floor, socket, request, response));
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

  private static void answer(Floor floor, Socket socket, int requestLength, int responseLength) {
    byte[] request = new byte[requestLength];
    byte[] response = new byte[responseLength];
    try (Link link = floor.serve(socket)) {
      while (true) {
        request = floor.makesArrays() ? new byte[requestLength] : request;
        link.receive(request);
        link.send(response);
      }
    } catch (IOException e) {
      /* The client has left. */
    }
  }
}

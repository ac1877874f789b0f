package io.karmi.benchmarks.messaging;

import io.karmi.benchmarks.measure.Parent;
import io.karmi.benchmarks.measure.ProcessCounters;
import io.karmi.messaging.Messaging;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.rmi.registry.Registry;
import java.util.concurrent.atomic.LongAdder;

/**
 * The JVM that receives. Argument: {@code raw} for a plain socket, {@code raw-kept} for one of
 * which the bytes are kept, {@code netty}, {@code aeron}, {@code aeron-ipc}, else KaRMI with the
 * technologies of the system property. It prints {@code port} and the port of its registry or
 * socket, or its driver's folder.
 */
public final class MessagesServer implements Called {
  static final String AERON_IPC = "aeron-ipc";

  /** The kind of the socket whose receiver keeps what comes. */
  static final String KEPT = "raw-kept";

  record Bytes(byte[] content) implements Serializable {}

  record Due(long nanos, byte[] content) implements Serializable {}

  record HowLate(int perMille) implements Serializable {}

  record FourInts(int a, int b, int c, int d) implements Serializable {}

  record Echo(byte[] content) implements Serializable {}

  record HowMany() implements Serializable {}

  record HowLong() implements Serializable {}

  /** The remote object; kept, as the registry has only its stub, and messages need none. */
  private static final MessagesServer CALLED = new MessagesServer();

  private MessagesServer() {}

  @Override
  public byte[] ping(byte[] bytes) {
    return bytes;
  }

  /** Serves until the process that has started it ends. */
  public static void main(String[] args) throws IOException {
    Parent.endWithIt();
    switch (args[0]) {
      case "raw":
        serveRaw(false);
        break;
      case KEPT:
        serveRaw(true);
        break;
      case "netty":
        System.out.println("port " + NettyPeer.serve());
        break;
      case "aeron":
        System.out.println("port " + AeronPeer.serveUdp());
        break;
      case AERON_IPC:
        System.out.println("port " + AeronPeer.serveIpc());
        break;
      default:
        serveMessages();
    }
  }

  private static void serveMessages() throws IOException {
    take(Messaging.ofThisNode(), new LongAdder(), new Delays());
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    Registry registry = LocateRegistry.createRegistry(port);
    registry.rebind("called", UnicastRemoteObject.exportObject(CALLED, 0));
    System.out.println("port " + port);
  }

  /** Has a node count the messages that it gets, and answer requests. */
  static void take(Messaging messaging, LongAdder arrived, Delays delays) {
    messaging.receive(Bytes.class, (message, from) -> arrived.increment());
    messaging.receive(FourInts.class, (message, from) -> arrived.increment());
    messaging.receive(
        Due.class,
        (message, from) -> {
          delays.arrived(message.nanos());
          arrived.increment();
        });
    messaging.answer(HowLate.class, (question, from) -> delays.rank(question.perMille()));
    messaging.answer(Echo.class, (question, from) -> question);
    messaging.answer(HowMany.class, (question, from) -> arrived.sum());
    messaging.answer(HowLong.class, (question, from) -> ProcessCounters.cpuNanos());
  }

  /**
   * Counts frames of a socket, until its sender has ended.
   *
   * @param keep whether the bytes of each one are read into an array of their own
   */
  private static void serveRaw(boolean keep) throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      System.out.println("port " + server.getLocalPort());
      try (Socket socket = server.accept()) {
        socket.setTcpNoDelay(true);
        try {
          count(socket, keep);
        } catch (EOFException | SocketException e) {
          return; // the sender has ended, and this JVM is to end with it
        }
      }
    }
  }

  private static void count(Socket socket, boolean keep) throws IOException {
    DataInputStream in =
        new DataInputStream(
            new java.io.BufferedInputStream(socket.getInputStream(), RawSender.PIECE_BYTES));
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    byte[] bytes = new byte[1 << 20];
    Delays delays = new Delays();
    long arrived = 0;
    for (int length = in.readInt(); ; length = in.readInt()) {
      if (length == RawSender.COUNT) {
        out.writeLong(arrived);
        continue;
      } else if (length == RawSender.DELAY) {
        out.writeLong(delays.rank(in.readInt()));
        continue;
      }
      int content = length & ~RawSender.ANSWER & ~RawSender.DUE;
      bytes = keep ? new byte[content] : bytes;
      in.readFully(bytes, 0, content);
      arrived++;
      if ((length & RawSender.DUE) != 0) {
        delays.arrived(ByteBuffer.wrap(bytes).getLong());
      } else if (content != length) {
        out.write(bytes, 0, content);
      }
    }
  }
}

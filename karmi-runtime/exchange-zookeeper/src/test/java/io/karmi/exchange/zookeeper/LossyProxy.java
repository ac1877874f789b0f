package io.karmi.exchange.zookeeper;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands before a server of ZooKeeper, and loses the answer to a question that was chosen. */
final class LossyProxy implements Closeable {
  private static final int NEVER = Integer.MAX_VALUE;

  private final ServerSocket listens = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger left = new AtomicInteger(NEVER);
  private final int server;

  LossyProxy(int server) throws IOException {
    this.server = server;
    start(this::accept);
  }

  String address() {
    return "127.0.0.1:" + listens.getLocalPort();
  }

  /** Of the questions from now on, all answers from that one's on are lost with the connection. */
  void loseAnswer(int question) {
    left.set(question);
  }

  /** Whether the question has come. */
  boolean hasLost() {
    return left.get() == NEVER;
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void start(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                return; // a side has closed the connection
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = listens.accept();
      Socket behind = new Socket(InetAddress.getLoopbackAddress(), server);
      open.add(client);
      open.add(behind);
      AtomicInteger lost = new AtomicInteger();
      start(() -> questions(client, behind, lost));
      start(() -> answers(behind, client, lost));
    }
  }

  private void questions(Socket from, Socket to, AtomicInteger lost) throws IOException {
    try (from;
        to) {
      DataInputStream in = new DataInputStream(from.getInputStream());
      DataOutputStream out = new DataOutputStream(to.getOutputStream());
      while (true) {
        byte[] question = new byte[in.readInt()];
        in.readFully(question);
        if (left.get() != NEVER && left.decrementAndGet() == 0) {
          lost.set(1);
          left.set(NEVER);
        }
        out.writeInt(question.length);
        out.write(question);
        out.flush();
      }
    }
  }

  private static void answers(Socket from, Socket to, AtomicInteger lost) throws IOException {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] some = new byte[1 << 16];
      int length = in.read(some);
      while (length > 0 && lost.get() == 0) {
        out.write(some, 0, length);
        length = in.read(some);
      }
    }
  }

  @Override
  public void close() throws IOException {
    listens.close();
    for (Socket each : open) {
      each.close();
    }
  }
}

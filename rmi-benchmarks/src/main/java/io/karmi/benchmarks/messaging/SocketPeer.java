package io.karmi.benchmarks.messaging;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;

/**
 * A plain socket with frames of an int32 with the length of the content, the kind and the content,
 * sent 64 KB at a time. Of one thread.
 */
final class SocketPeer extends BytesSender {
  static final int PIECE_BYTES = 64 * 1024;
  private static final int HEADER_BYTES = Integer.BYTES + 1;

  private final Socket socket;
  private final DataInputStream in;
  private final byte[] content = new byte[1 << 20];
  private final ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);

  /** Sends to {@code host:port}. */
  SocketPeer(String where) throws IOException {
    String[] parts = where.split(":");
    socket = new Socket(parts[0], Integer.parseInt(parts[1]));
    socket.setTcpNoDelay(true);
    in = new DataInputStream(socket.getInputStream());
  }

  /**
   * Serves one sender in a thread of its own; returns {@code host:port}.
   *
   * @param host the address of this host at which it is reached
   * @param keep whether the bytes of each message are read into an array of their own
   */
  static String serve(String host, boolean keep) throws IOException {
    ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName(host));
    new Thread(() -> serve(server, keep), "socket").start();
    return host + ':' + server.getLocalPort();
  }

  private static void serve(ServerSocket server, boolean keep) {
    try (server;
        Socket socket = server.accept()) {
      socket.setTcpNoDelay(true);
      receive(socket, keep);
    } catch (EOFException | SocketException e) {
      /* The sender has ended. */
    } catch (IOException e) {
      e.printStackTrace();
    }
  }

  private static void receive(Socket socket, boolean keep) throws IOException {
    DataInputStream in =
        new DataInputStream(new BufferedInputStream(socket.getInputStream(), PIECE_BYTES));
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    Received received = new Received();
    byte[] bytes = new byte[1 << 20];
    while (true) {
      int length = in.readInt();
      byte kind = in.readByte();
      bytes = keep ? new byte[length] : bytes;
      in.readFully(bytes, 0, length);
      long number = hasNumber(kind) ? ByteBuffer.wrap(bytes).getLong() : 0;
      long answer = received.take(kind, number);
      if (kind == REQUEST) {
        out.write(bytes, 0, length);
      } else if (isQuestion(kind)) {
        out.writeLong(answer);
      }
    }
  }

  @Override
  public boolean runs(MessageKernel kernel) {
    return super.runs(kernel) && kernel.threads == 1;
  }

  @Override
  void write(byte kind, long number, int bytes) throws IOException {
    if (piece.remaining() < HEADER_BYTES + bytes) {
      flush();
    }
    piece.putInt(bytes).put(kind);
    if (hasNumber(kind)) {
      piece.putLong(number).put(content, 0, bytes - Long.BYTES);
    } else if (bytes > piece.remaining()) {
      flush();
      socket.getOutputStream().write(content, 0, bytes);
    } else {
      piece.put(content, 0, bytes);
    }
  }

  @Override
  public void flush() throws IOException {
    socket.getOutputStream().write(piece.array(), 0, piece.position());
    piece.clear();
  }

  @Override
  long ask(byte kind, long number, int bytes) throws IOException {
    write(kind, number, bytes);
    flush();
    if (kind != REQUEST) {
      return in.readLong();
    }
    in.readFully(content, 0, bytes);
    return 0;
  }
}

package io.karmi.benchmarks.messaging;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/** A plain socket with frames of a length and bytes, sent 64 KB at a time. Of one thread. */
final class RawSender implements MessageSender {
  static final int PIECE_BYTES = 64 * 1024;

  /** In place of a frame's length: asks how many have come. */
  static final int COUNT = -1;

  /** The same: asks for a delay, of which the per mille follow. */
  static final int DELAY = -2;

  /** Added to the length of a frame that begins with the time at which it was due. */
  static final int DUE = 1 << 29;

  /** Added to the length of a frame that is to be sent back. */
  static final int ANSWER = 1 << 30;

  private final Socket socket;
  private final DataInputStream in;
  private final byte[] content = new byte[1 << 20];
  private final ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);

  RawSender(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    in = new DataInputStream(socket.getInputStream());
  }

  @Override
  public boolean runs(MessageKernel kernel) {
    return kernel.threads == 1
        && kernel != MessageKernel.FOUR_INTS
        && kernel != MessageKernel.REQUEST_AMONG_LARGE;
  }

  @Override
  public void send(int bytes) throws IOException {
    if (piece.remaining() < Integer.BYTES + bytes) {
      flush();
    }
    piece.putInt(bytes);
    if (bytes > piece.remaining()) {
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
  public void request(int bytes) throws IOException {
    piece.putInt(bytes | ANSWER).put(content, 0, bytes);
    flush();
    in.readFully(content, 0, bytes);
  }

  @Override
  public void sendDue(long dueNanos) throws IOException {
    int bytes = MessageKernel.PACED.bytes;
    piece.putInt(bytes | DUE).putLong(dueNanos).put(content, Long.BYTES, bytes - Long.BYTES);
    flush();
  }

  @Override
  public long delayNanos(int perMille) throws IOException {
    piece.putInt(DELAY).putInt(perMille);
    flush();
    return in.readLong();
  }

  @Override
  public long arrived() throws IOException {
    piece.putInt(COUNT);
    flush();
    return in.readLong();
  }
}

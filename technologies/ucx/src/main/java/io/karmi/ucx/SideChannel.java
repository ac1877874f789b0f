package io.karmi.ucx;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;

/**
 * TCP connection beside a link, over which its ends have met. Its end shows that the other process
 * has gone.
 *
 * <p>An end that closes the connection in order sends its number of messages, in eight bytes, so
 * that none of them is missed. Thread-safe.
 */
final class SideChannel {
  /** Value of {@link #lastMessage} until the other end has sent it. */
  static final long UNKNOWN = -1;

  private static final int IDLE_SECONDS = 30;

  final SocketChannel socket;
  private final ByteBuffer told = ByteBuffer.allocateDirect(Long.BYTES);
  private volatile boolean over;
  private volatile long lastMessage = UNKNOWN;

  /** A side channel over a socket, over which nothing else is sent from now on. */
  SideChannel(SocketChannel socket) throws IOException {
    this.socket = socket;
    socket.configureBlocking(false);
  }

  /** Whether the other end is known to have gone. */
  boolean isOver() {
    return over;
  }

  /** The number of messages that the other end has sent before it closed the connection. */
  long lastMessage() {
    return lastMessage;
  }

  /** Checks whether the other end has gone, without waiting. */
  synchronized boolean look() {
    try {
      while (!over) {
        int count = socket.read(told);
        if (count == 0 && told.hasRemaining()) {
          return false;
        }
        if (!told.hasRemaining()) {
          lastMessage = told.getLong(0);
          over = true;
        }
        over |= count < 0;
      }
    } catch (IOException e) {
      over = true; // it was reset, or closed at this end
    }
    return over;
  }

  /** Sends the number of messages that this end has sent. */
  void tellLast(long sent) throws IOException {
    socket.write(ByteBuffer.allocate(Long.BYTES).putLong(0, sent));
  }

  /** Lets the kernel notice a lost host sooner than after two hours. */
  void expectSilence() {
    try {
      socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, IDLE_SECONDS);
    } catch (IOException | UnsupportedOperationException | LinkageError e) {
      Ucx.LOG.log(System.Logger.Level.DEBUG, "no keep-alive", e);
    }
  }

  void close() throws IOException {
    socket.close();
  }
}

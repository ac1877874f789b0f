package io.karmi.ucx;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import jdk.net.ExtendedSocketOptions;

/**
 * The TCP connection beside a link, over which its ends have met: its end tells that the other
 * process has gone.
 *
 * <p>An end that closes the connection in order says in eight bytes how many messages it has sent,
 * so that none of them is missed. Thread-safe.
 */
final class SideChannel {
  /** What {@link #lastMessage} is as long as the other end has not said it. */
  static final long UNKNOWN = -1;

  private static final int IDLE_SECONDS = 30;

  private final SocketChannel socket;
  private final ByteBuffer told = ByteBuffer.allocateDirect(Long.BYTES);
  private volatile boolean over;
  private volatile long lastMessage = UNKNOWN;

  /** Makes one of a socket over which nothing else is sent from now on. */
  SideChannel(SocketChannel socket) throws IOException {
    this.socket = socket;
    socket.configureBlocking(false);
  }

  SocketChannel socket() {
    return socket;
  }

  /** Whether the other end is known to have gone. */
  boolean isOver() {
    return over;
  }

  /** How many messages the other end has sent before it closed the connection. */
  long lastMessage() {
    return lastMessage;
  }

  /** Looks whether the other end has gone, without waiting. */
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

  /** Says how many messages this end has sent. */
  void tellLast(long sent) throws IOException {
    socket.write(ByteBuffer.allocate(Long.BYTES).putLong(0, sent));
  }

  /** Has the kernel notice a host that has gone without a word, sooner than after two hours. */
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

package io.karmi.shm;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * Socket between two processes that share memory. A process wakes the other one by a byte, and
 * notices by the socket's end that it has gone.
 *
 * <p>A byte only means "look again", and may be spurious. An interrupt does not disturb a thread
 * that waits here; its interrupted state is set afterwards. One thread at a time waits; any thread
 * may ring or close.
 */
final class Doorbell {
  /**
   * Upper bound of reads without waiting, of 64 bytes each: the kernel keeps fewer than 300 bytes
   * that were sent one by one. Only an end that sends many at once leaves more, which are read
   * later.
   */
  private static final int MOST_READS = 8;

  private final SocketChannel socket;
  private final Uninterrupted waiting;
  private final ByteBuffer received = ByteBuffer.allocateDirect(64);
  private final ByteBuffer sent = ByteBuffer.allocateDirect(1);
  private volatile boolean ended;
  private volatile boolean closed;

  /**
   * Makes a doorbell of a socket over which nothing else will be sent from now on.
   *
   * @param selector by which is waited; is closed with this
   * @param whenInterrupted runs in a thread that was interrupted while it waited
   */
  Doorbell(SocketChannel socket, Selector selector, Runnable whenInterrupted) throws IOException {
    this.socket = socket;
    waiting = new Uninterrupted(socket, selector, whenInterrupted);
  }

  /** Wakes the other end; if the socket is full of such bytes, it will wake anyway. */
  void ring() throws IOException {
    synchronized (sent) {
      sent.clear();
      socket.write(sent);
    }
  }

  /**
   * Takes the bytes that have come, without waiting.
   *
   * @return false if the other end has gone
   */
  boolean isPeerThere() throws IOException {
    if (!ended) {
      int count = received.capacity();
      for (int i = 0; i < MOST_READS && count == received.capacity(); i++) {
        received.clear();
        count = socket.read(received);
      }
      ended = count < 0;
    }
    return !ended;
  }

  /**
   * Waits until the other end rings, or the time is over.
   *
   * @param millis the longest time to wait; 0 for ever
   * @return false if the other end has gone
   * @throws IOException if the doorbell is closed
   */
  boolean await(long millis) throws IOException {
    if (!ended) {
      waiting.await(millis);
    }
    return isPeerThere();
  }

  /** Whether either end is known to have gone; may be called by any thread. */
  boolean isOver() {
    return ended || closed;
  }

  /**
   * Checks that this end is open; may be called by any thread.
   *
   * @throws ClosedChannelException if this end was closed
   */
  void checkOpen() throws ClosedChannelException {
    if (closed) {
      throw new ClosedChannelException();
    }
  }

  /** Has this end find that the other one has gone; may be called by any thread. */
  void endInput() throws IOException {
    socket.shutdownInput();
  }

  /** Closes the socket, which tells the other end, and ends what a thread is waiting for here. */
  void close() throws IOException {
    closed = true;
    try {
      socket.close();
    } finally {
      waiting.close();
    }
  }
}

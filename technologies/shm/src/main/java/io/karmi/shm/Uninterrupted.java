package io.karmi.shm;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;

/**
 * Wait for a channel that interrupts do not disturb. The thread's interrupted state is set
 * afterwards.
 *
 * <p>A channel in blocking mode would be closed by an interrupt. One thread at a time waits; any
 * thread may close.
 */
final class Uninterrupted implements Closeable {
  private static final Consumer<SelectionKey> NOTHING = key -> {};

  private final Runnable whenInterrupted;
  private final Selector selector;
  private volatile boolean closed;

  /**
   * Puts a channel into non-blocking mode, to be waited for here.
   *
   * @param selector by which is waited; is closed with this
   * @param whenInterrupted runs in a thread that was interrupted while it waited
   */
  Uninterrupted(SocketChannel channel, Selector selector, Runnable whenInterrupted)
      throws IOException {
    this.selector = selector;
    this.whenInterrupted = whenInterrupted;
    channel.configureBlocking(false);
    channel.register(selector, SelectionKey.OP_READ);
  }

  /**
   * Waits until the channel may have bytes, or the time is over.
   *
   * @param millis the longest time to wait; 0 for ever
   * @throws IOException if this is closed
   */
  void await(long millis) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      if (interrupted) {
        whenInterrupted.run();
      }
      selector.select(NOTHING, millis);
      if (closed) {
        throw closedHere();
      }
    } catch (ClosedSelectorException e) {
      throw closedHere();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static IOException closedHere() {
    return new EOFException("the connection was closed at this end");
  }

  /** Ends what a thread is waiting for here; to be called when the channel has been closed. */
  @Override
  public void close() throws IOException {
    closed = true;
    selector.close(); // wakes the thread in select, and waits until it is out
  }
}

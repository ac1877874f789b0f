package io.karmi.uds;

import io.karmi.connection.channel.Introduction;
import io.karmi.connection.channel.NodeChannel;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A connection over the channel of a Unix-domain socket.
 *
 * <p>Interrupting a thread that waits in a blocking channel closes the channel, but an interrupted
 * caller must still get its reply. So the channel is non-blocking, and its thread waits in a
 * selector of the connection. That takes 2 % longer (decision 0029).
 */
final class UdsChannel extends NodeChannel {
  /**
   * Upper bound of the bytes of one read or write: the channel copies them to memory that its
   * thread keeps for good.
   */
  private static final int MAXIMUM_BYTES = 128 * 1024;

  /** Nanoseconds between two looks for room, while another thread waits in the selector. */
  private static final long ROOM_NANOS = 50_000;

  private static final Consumer<SelectionKey> NOTHING = key -> {};

  private final SocketChannel channel;

  private final Selector selector;
  private final SelectionKey key;
  private final String peerName;

  /** Whether the last read has found as much as there was room for. */
  private boolean moreIsThere;

  /**
   * Buffers around the arrays that were read to, or written from, last: they are mostly the same.
   */
  private ByteBuffer reading = ByteBuffer.allocate(0);

  private ByteBuffer writing = ByteBuffer.allocate(0);

  /**
   * Makes a connection of a channel whose ends have introduced themselves.
   *
   * @param selector to wait in
   */
  UdsChannel(Introduction introduction, SocketChannel channel, Selector selector, String peerName)
      throws IOException {
    super(introduction);
    this.channel = channel;
    this.selector = selector;
    this.peerName = peerName;
    channel.configureBlocking(false);
    key = channel.register(selector, SelectionKey.OP_READ);
  }

  @Override
  public int receive(byte[] to, int offset, int length) throws IOException {
    ByteBuffer room = reading;
    if (room.array() != to) {
      room = ByteBuffer.wrap(to);
      reading = room;
    }
    int most = Math.min(length, MAXIMUM_BYTES);
    room.limit(offset + most).position(offset);
    int count = moreIsThere ? channel.read(room) : 0;
    if (count == 0) {
      count = receiveLater(room);
    }
    moreIsThere = count == most;
    return count;
  }

  private int receiveLater(ByteBuffer room) throws IOException {
    long end = timeoutMillis == 0 ? 0 : System.nanoTime() + timeoutMillis * 1_000_000L;
    boolean interrupted = false;
    try {
      for (; ; ) {
        await(timeoutMillis);
        int count = channel.read(room);
        if (count != 0) {
          return count;
        }
        interrupted |= wasInterrupted();
        if (timeoutMillis != 0 && System.nanoTime() - end >= 0) {
          throw new SocketTimeoutException("Read timed out after " + timeoutMillis + " ms");
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Waits until the channel is ready, the time has passed, or the thread is interrupted. */
  private void await(int millis) throws IOException {
    try {
      selector.select(NOTHING, millis);
    } catch (ClosedSelectorException | CancelledKeyException e) {
      throw closed(e);
    }
  }

  private static ClosedChannelException closed(RuntimeException reason) {
    ClosedChannelException problem = new ClosedChannelException();
    problem.initCause(reason);
    return problem;
  }

  /** Clears the thread's interrupted state, in which a selector does not wait. */
  private boolean wasInterrupted() {
    boolean interrupted = Thread.interrupted();
    if (interrupted) {
      callerInterrupted();
    }
    return interrupted;
  }

  @Override
  public void send(byte[] from, int offset, int length) throws IOException {
    ByteBuffer bytes = writing;
    if (bytes.array() != from) {
      bytes = ByteBuffer.wrap(from);
      writing = bytes;
    }
    int end = offset + length;
    bytes.limit(Math.min(end, offset + MAXIMUM_BYTES)).position(offset);
    boolean interrupted = false;
    try {
      while (bytes.position() < end) {
        if (channel.write(bytes) == 0) {
          interrupted |= awaitRoom();
        }
        bytes.limit(Math.min(end, bytes.position() + MAXIMUM_BYTES));
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Takes all or nothing: the system does not divide a few bytes. */
  @Override
  public boolean offer(byte[] from, int offset, int length) throws IOException {
    int count = channel.write(ByteBuffer.wrap(from, offset, length));
    if (count > 0 && count < length) {
      throw new IOException("the socket has taken " + count + " of " + length + " bytes");
    }
    return count > 0;
  }

  @Override
  public boolean endInput() throws IOException {
    channel.shutdownInput();
    return true;
  }

  /** True if the thread was interrupted meanwhile. */
  private boolean awaitRoom() throws IOException {
    if (duplex) {
      LockSupport.parkNanos(ROOM_NANOS); // the selector is the receiving thread's
      return Thread.interrupted();
    }
    try {
      key.interestOps(SelectionKey.OP_WRITE);
      await(0);
      key.interestOps(SelectionKey.OP_READ);
    } catch (CancelledKeyException e) {
      throw closed(e);
    }
    return wasInterrupted();
  }

  @Override
  public String peerName() {
    return peerName;
  }

  @Override
  protected void closeChannel() throws IOException {
    try {
      channel.close();
    } finally {
      selector.close();
    }
  }
}

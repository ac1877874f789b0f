package io.karmi.contract.hostile;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A Unix-domain socket at which a node listens. */
public final class LocalDoor implements Door {
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Path socket;

  /** The socket of that path. */
  public LocalDoor(Path socket) {
    this.socket = socket;
  }

  @Override
  public LocalChannel open() throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    boolean open = false;
    try {
      channel.connect(UnixDomainSocketAddress.of(socket));
      channel.configureBlocking(false);
      LocalChannel made = new LocalChannel(channel, Selector.open());
      open = true;
      return made;
    } finally {
      if (!open) {
        channel.close();
      }
    }
  }

  /** A socket that is connected; neither end of it waits for longer than ten seconds. */
  public static final class LocalChannel implements Channel {
    private final SocketChannel channel;
    private final Selector selector;

    private LocalChannel(SocketChannel channel, Selector selector) throws IOException {
      this.channel = channel;
      this.selector = selector;
      channel.register(selector, 0);
    }

    private void await(int operation, long end) throws IOException {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        throw new SocketTimeoutException("the node is silent");
      }
      try {
        channel.register(selector, operation);
        selector.select(left);
        selector.selectedKeys().clear();
      } catch (ClosedSelectorException | CancelledKeyException e) {
        throw new IOException("closed by another thread of the attack", e);
      }
    }

    @Override
    public InputStream in() {
      return new InputStream() {
        @Override
        public int read() throws IOException {
          byte[] one = new byte[1];
          return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
          long end = System.nanoTime() + LIMIT_NANOS;
          ByteBuffer room = ByteBuffer.wrap(to, offset, length);
          int count = channel.read(room);
          while (count == 0 && length > 0) {
            await(SelectionKey.OP_READ, end);
            count = channel.read(room);
          }
          return count;
        }
      };
    }

    /** Drops what has come; false at the end. */
    public boolean drain() throws IOException {
      ByteBuffer any = ByteBuffer.allocate(1 << 12);
      int count = channel.read(any);
      while (count > 0) {
        any.clear();
        count = channel.read(any);
      }
      return count == 0;
    }

    /** Waits for a moment until something comes. */
    public void awaitMore(long millis) throws IOException {
      await(SelectionKey.OP_READ, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis + 1));
    }

    @Override
    public OutputStream out() {
      return new OutputStream() {
        @Override
        public void write(int value) throws IOException {
          write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
          long end = System.nanoTime() + LIMIT_NANOS;
          ByteBuffer bytes = ByteBuffer.wrap(from, offset, length);
          while (bytes.hasRemaining()) {
            if (channel.write(bytes) == 0) {
              await(SelectionKey.OP_WRITE, end);
            }
          }
        }
      };
    }

    @Override
    public void endOutput() throws IOException {
      channel.shutdownOutput();
    }

    @Override
    public void close() throws IOException {
      try {
        channel.close();
      } finally {
        selector.close();
      }
    }
  }
}

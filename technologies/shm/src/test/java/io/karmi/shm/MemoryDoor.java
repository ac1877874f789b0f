package io.karmi.shm;

import io.karmi.contract.hostile.Door;
import io.karmi.contract.hostile.IntroducedChannel;
import io.karmi.contract.hostile.LocalDoor;
import io.karmi.contract.hostile.LocalDoor.LocalChannel;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A node that shares memory: bytes go over its socket until it has introduced itself, and through
 * the rings from then on.
 */
final class MemoryDoor implements Door {
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final int PAUSE_MILLIS = 5;

  private final LocalDoor door;

  MemoryDoor(Path socket) {
    door = new LocalDoor(socket);
  }

  @Override
  public MemoryChannel open() throws IOException {
    return new MemoryChannel(door.open());
  }

  /** One connection. */
  static final class MemoryChannel extends IntroducedChannel {
    private final LocalChannel socket;
    private @Nullable SharedRings rings;
    private @Nullable FileChannel file;

    MemoryChannel(LocalChannel socket) {
      this.socket = socket;
    }

    /** The file in which the memory is; the node has introduced itself. */
    FileChannel file() {
      return Objects.requireNonNull(file);
    }

    /** Makes the node look at the memory. */
    void ring() throws IOException {
      socket.out().write(1);
    }

    /** Waits until the node closes the connection, without a look at the memory. */
    void awaitClosedByNode() throws IOException {
      long end = System.nanoTime() + LIMIT_NANOS;
      while (awaitBell(end)) {
        continue;
      }
    }

    @Override
    protected InputStream socketIn() {
      return socket.in();
    }

    @Override
    protected OutputStream socketOut() {
      return socket.out();
    }

    @Override
    protected void meet() throws IOException {
      DataInputStream in = new DataInputStream(socket.in());
      byte[] secret = new byte[SharedRings.SECRET_BYTES];
      Path path = Path.of(in.readUTF());
      file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
      boolean isLong = file.size() > 2 * SharedRings.LONG_CAPACITY;
      SharedRings shared =
          SharedRings.open(path, secret, isLong ? SharedRings.LONG_CAPACITY : SharedRings.CAPACITY);
      socket.out().write(secret);
      if (in.readByte() != 1) {
        throw new IOException("the node does not share the memory");
      }
      rings = shared;
    }

    @Override
    protected int readOn(byte[] to, int offset, int length) throws IOException {
      SharedRings shared = Objects.requireNonNull(rings);
      long end = System.nanoTime() + LIMIT_NANOS;
      boolean there = true;
      while (true) {
        int count = shared.reader.read(to, offset, length);
        if (count > 0) {
          if (shared.reader.mustWakeProducer()) {
            ring();
          }
          return count;
        }
        if (!there) {
          return -1;
        }
        there = awaitBell(end);
      }
    }

    /** False if the node has closed the connection. */
    private boolean awaitBell(long end) throws IOException {
      if (System.nanoTime() - end > 0) {
        throw new SocketTimeoutException("the node is silent");
      }
      if (!socket.drain()) {
        return false;
      }
      socket.awaitMore(PAUSE_MILLIS);
      return socket.drain();
    }

    @Override
    protected void writeOn(byte[] from, int offset, int length) throws IOException {
      SharedRings shared = Objects.requireNonNull(rings);
      long end = System.nanoTime() + LIMIT_NANOS;
      int done = 0;
      while (done < length) {
        done += shared.writer.write(from, offset + done, length - done);
        if (shared.writer.mustWakeConsumer()) {
          ring();
        }
        if (done < length && !awaitBell(end)) {
          throw new EOFException("the node has closed the connection");
        }
      }
    }

    @Override
    public void endOutput() throws IOException {
      socket.endOutput();
    }

    @Override
    public void close() throws IOException {
      try {
        socket.close();
      } finally {
        if (file != null) {
          file.close();
        }
      }
    }
  }
}

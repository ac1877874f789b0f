package io.karmi.shm;

import io.karmi.contract.hostile.Channel;
import io.karmi.contract.hostile.Door;
import io.karmi.contract.hostile.LocalDoor;
import io.karmi.contract.hostile.LocalDoor.LocalChannel;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A node that shares memory: bytes go over its socket until it has introduced itself, and through
 * the rings from then on.
 */
final class MemoryDoor implements Door {
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** In an introduction: four bytes of magic, the layout, and two bytes of length. */
  private static final int LENGTH_AT = 5;

  private static final int BEGIN_BYTES = 7;

  /** Where in an introduction the number of formats is; without formats it is a refusal. */
  private static final int FORMATS_AT = BEGIN_BYTES + 30;

  private static final int PAUSE_MILLIS = 5;

  private final LocalDoor door;

  MemoryDoor(Path socket) {
    door = new LocalDoor(socket);
  }

  @Override
  public Channel open() throws IOException {
    return new MemoryChannel(door.open());
  }

  private static final class MemoryChannel implements Channel {
    private final LocalChannel socket;
    private final byte[] hello = new byte[1 << 16];
    private int read;
    private @Nullable SharedRings rings;

    MemoryChannel(LocalChannel socket) {
      this.socket = socket;
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
          SharedRings shared = rings;
          if (length == 0) {
            return 0;
          }
          return shared == null ? readHello(to, offset) : readShared(shared, to, offset, length);
        }
      };
    }

    /** One byte at a time: what follows the introduction is for this class. */
    private int readHello(byte[] to, int offset) throws IOException {
      int value = socket.in().read();
      if (value < 0) {
        return value;
      }
      hello[read++] = (byte) value;
      to[offset] = (byte) value;
      if (read >= BEGIN_BYTES
          && read == BEGIN_BYTES + lengthOfRest()
          && read > FORMATS_AT
          && hello[FORMATS_AT] > 0) {
        share();
      }
      return 1;
    }

    private int lengthOfRest() {
      return hello[LENGTH_AT] & 0xFF | (hello[LENGTH_AT + 1] & 0xFF) << Byte.SIZE;
    }

    private void share() throws IOException {
      DataInputStream in = new DataInputStream(socket.in());
      byte[] secret = new byte[SharedRings.SECRET_BYTES];
      SharedRings shared = SharedRings.open(Path.of(in.readUTF()), secret);
      socket.out().write(secret);
      if (in.readByte() != 1) {
        throw new IOException("the node does not share the memory");
      }
      rings = shared;
    }

    private int readShared(SharedRings shared, byte[] to, int offset, int length)
        throws IOException {
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

    private void ring() throws IOException {
      socket.out().write(1);
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
          SharedRings shared = rings;
          if (shared == null) {
            socket.out().write(from, offset, length);
          } else {
            writeShared(shared, from, offset, length);
          }
        }
      };
    }

    private void writeShared(SharedRings shared, byte[] from, int offset, int length)
        throws IOException {
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
      socket.close();
    }
  }
}

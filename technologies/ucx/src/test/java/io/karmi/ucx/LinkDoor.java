package io.karmi.ucx;

import io.karmi.contract.hostile.Channel;
import io.karmi.contract.hostile.Door;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A node that is reached over UCX: bytes go over TCP until it has introduced itself, and through
 * UCX from then on.
 */
final class LinkDoor implements Door {
  private static final int LIMIT_MILLIS = 10_000;
  private static final long LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(LIMIT_MILLIS);

  /** In an introduction: four bytes of magic, the layout, and two bytes of length. */
  private static final int LENGTH_AT = 5;

  private static final int BEGIN_BYTES = 7;

  /** Where in an introduction the number of formats is; without formats it is a refusal. */
  private static final int FORMATS_AT = BEGIN_BYTES + 30;

  private final SideAddress address;

  /**
   * A door.
   *
   * @param way the address in a UTID
   */
  LinkDoor(String way) {
    address = SideAddress.parse(SideAddress.parseList(way).get(0));
  }

  @Override
  public Channel open() throws IOException {
    return new LinkChannel(
        SocketChannel.open(new InetSocketAddress(address.host(), address.port())));
  }

  private static final class LinkChannel implements Channel {
    private final SocketChannel socket;
    private final byte[] hello = new byte[1 << 16];
    private int read;
    private @Nullable Link link;
    private @Nullable SideChannel side;

    LinkChannel(SocketChannel socket) throws IOException {
      this.socket = socket;
      socket.socket().setSoTimeout(LIMIT_MILLIS);
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
          Link met = link;
          if (length == 0) {
            return 0;
          }
          return met == null ? readHello(to, offset) : readLink(met, to, offset, length);
        }
      };
    }

    /** One byte at a time: what follows the introduction is for this class. */
    private int readHello(byte[] to, int offset) throws IOException {
      int value = socket.socket().getInputStream().read();
      if (value < 0) {
        return value;
      }
      hello[read++] = (byte) value;
      to[offset] = (byte) value;
      if (read >= BEGIN_BYTES
          && read == BEGIN_BYTES + lengthOfRest()
          && read > FORMATS_AT
          && hello[FORMATS_AT] > 0) {
        meet();
      }
      return 1;
    }

    private int lengthOfRest() {
      return hello[LENGTH_AT] & 0xFF | (hello[LENGTH_AT + 1] & 0xFF) << Byte.SIZE;
    }

    private void meet() throws IOException {
      Fabric fabric = Fabric.acquire();
      Link made = new Link(fabric, Meeting.newToken());
      fabric.release(); // the link holds it
      boolean met = false;
      try {
        side = Meeting.meet(made, socket, Open.secret(), true);
        met = true;
        link = made;
      } finally {
        if (!met) {
          made.close();
        }
      }
    }

    private boolean isOver() {
      SideChannel known = side;
      return known == null || known.look();
    }

    private int readLink(Link met, byte[] to, int offset, int length) throws IOException {
      long end = System.nanoTime() + LIMIT_NANOS;
      while (true) {
        int count = met.read(to, offset, length);
        met.allowMore();
        if (count > 0) {
          return count;
        }
        boolean over = isOver();
        if (!met.progress()) {
          if (over) {
            return -1;
          }
          pause(end);
        }
      }
    }

    private static void pause(long end) throws IOException {
      if (System.nanoTime() - end > 0) {
        throw new SocketTimeoutException("the node is silent");
      }
      Thread.onSpinWait();
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
          Link met = link;
          if (met == null) {
            socket.socket().getOutputStream().write(from, offset, length);
          } else {
            writeLink(met, from, offset, length);
          }
        }
      };
    }

    private void writeLink(Link met, byte[] from, int offset, int length) throws IOException {
      long end = System.nanoTime() + LIMIT_NANOS;
      int done = 0;
      while (done < length || !met.isSent()) {
        int count = done < length ? met.send(from, offset + done, length - done) : 0;
        done += count;
        if (count == 0 && !met.progress()) {
          if (isOver() || met.failure() != null) {
            throw new EOFException("the node has closed the connection");
          }
          pause(end);
        }
      }
    }

    @Override
    public void endOutput() throws IOException {
      if (link == null) {
        socket.shutdownOutput();
      }
    }

    @Override
    public void close() throws IOException {
      try {
        socket.close();
      } finally {
        Link met = link;
        if (met != null) {
          met.close();
        }
      }
    }
  }
}

package io.karmi.ucx;

import io.karmi.connection.channel.HostAddress;
import io.karmi.contract.hostile.Channel;
import io.karmi.contract.hostile.Door;
import io.karmi.contract.hostile.IntroducedChannel;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A node that is reached over UCX: bytes go over TCP until it has introduced itself, and through
 * UCX from then on.
 */
final class LinkDoor implements Door {
  private static final int LIMIT_MILLIS = 10_000;
  private static final long LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(LIMIT_MILLIS);

  private final HostAddress address;

  /**
   * A door.
   *
   * @param way the address in a UTID
   */
  LinkDoor(String way) {
    address = HostAddress.parseList(way).get(0);
  }

  @Override
  public Channel open() throws IOException {
    return new LinkChannel(
        SocketChannel.open(new InetSocketAddress(address.host(), address.port())));
  }

  /**
   * Its link is used under the channel's lock: an attack may still send in a thread of its own when
   * the channel is closed.
   */
  private static final class LinkChannel extends IntroducedChannel {
    private final SocketChannel socket;
    private @Nullable UcxLink link;
    private @Nullable SideChannel side;
    private boolean closed;

    LinkChannel(SocketChannel socket) throws IOException {
      this.socket = socket;
      socket.socket().setSoTimeout(LIMIT_MILLIS);
    }

    @Override
    protected InputStream socketIn() throws IOException {
      return socket.socket().getInputStream();
    }

    @Override
    protected OutputStream socketOut() throws IOException {
      return socket.socket().getOutputStream();
    }

    @Override
    protected void meet() throws IOException {
      Fabric fabric = Fabric.acquire();
      UcxLink made = new UcxLink(fabric, Meeting.newToken());
      fabric.release(); // the link holds it
      boolean met = false;
      try {
        side = Meeting.connect(made, socket, Meeting.prove(made, socket, Open.secret(), true));
        met = true;
        link = made;
      } finally {
        if (!met) {
          made.close();
        }
      }
    }

    private UcxLink openLink() throws IOException {
      if (closed) {
        throw new EOFException("this end has closed the connection");
      }
      return Objects.requireNonNull(link);
    }

    private boolean isOver() {
      SideChannel known = side;
      return known == null || known.look();
    }

    @Override
    protected int readOn(byte[] to, int offset, int length) throws IOException {
      long end = System.nanoTime() + LIMIT_NANOS;
      int count;
      while ((count = tryRead(to, offset, length)) == 0) {
        pause(end);
      }
      return count;
    }

    private synchronized int tryRead(byte[] to, int offset, int length) throws IOException {
      UcxLink met = openLink();
      while (true) {
        int count = met.read(to, offset, length);
        met.allowMore();
        if (count > 0) {
          return count;
        }
        boolean over = isOver();
        if (!met.progress()) {
          return over ? -1 : 0;
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
    protected void writeOn(byte[] from, int offset, int length) throws IOException {
      long end = System.nanoTime() + LIMIT_NANOS;
      int done = tryWrite(from, offset, length);
      while (done < length || !isSent()) {
        pause(end);
        done += tryWrite(from, offset + done, length - done);
      }
    }

    private synchronized boolean isSent() throws IOException {
      return openLink().isSent();
    }

    private synchronized int tryWrite(byte[] from, int offset, int length) throws IOException {
      UcxLink met = openLink();
      int done = 0;
      while (done < length || !met.isSent()) {
        int count = done < length ? met.send(from, offset + done, length - done) : 0;
        done += count;
        if (count == 0 && !met.progress()) {
          if (isOver() || met.failure() != null) {
            throw new EOFException("the node has closed the connection");
          }
          break;
        }
      }
      return done;
    }

    @Override
    public synchronized void endOutput() throws IOException {
      if (hasMet()) {
        Objects.requireNonNull(side).tellLast(openLink().sent());
      } else {
        socket.shutdownOutput();
      }
    }

    @Override
    public synchronized void close() throws IOException {
      closed = true;
      try {
        socket.close();
      } finally {
        UcxLink met = link;
        if (met != null) {
          met.close();
        }
      }
    }
  }
}

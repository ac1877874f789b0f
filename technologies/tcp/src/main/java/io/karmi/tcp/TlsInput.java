package io.karmi.tcp;

import io.karmi.guard.Ledgers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * What the other end of an accepted connection sends below TLS: what does not prove or carry
 * anything comes no faster than its host may do so.
 *
 * <p>Every {@value #READS_EACH} reads of a handshake count as one, and later as many in a row that
 * carry nothing, such as new keys. A record takes two, and an honest handshake has few. The JDK
 * copies what it has of an unfinished message, up to 32 KB, whenever a record goes on with it, also
 * if that has one byte: 200 KB of such records take it 0.1 s of a processor, and more while others
 * do the same.
 */
final class TlsInput extends InputStream {
  private static final int READS_EACH = 64;

  private final Socket plain;
  private final InputStream in;

  /** Null for a socket of the program's own that does not tell. */
  private final @Nullable Object host;

  private final ByteArrayInputStream first;
  private final long longestWaitNanos;
  private final long sinceMillis = System.currentTimeMillis();
  private long reads;
  private boolean over;

  /** Whether the socket is read without this. */
  private volatile boolean left;

  /** Both null where others tell when the handshake is over. */
  private @Nullable SSLSocket secure;

  private @Nullable TlsMaterial material;
  private boolean begun;

  /**
   * The input of a socket.
   *
   * @param first what has been read of it
   * @param longestWaitNanos how long a read waits at most as its host has done too much
   */
  TlsInput(Socket plain, byte[] first, long longestWaitNanos) throws IOException {
    this.plain = plain;
    this.in = plain.getInputStream();
    this.host = plain.getInetAddress();
    this.first = new ByteArrayInputStream(first);
    this.longestWaitNanos = longestWaitNanos;
  }

  /** Finds out by itself when the handshake is {@link #over}, which begins with the first read. */
  void watch(SSLSocket accepted, TlsMaterial by) {
    secure = accepted;
    material = by;
  }

  /**
   * The handshake is over, and counts no more.
   *
   * @throws SSLHandshakeException if it has resumed a session whose certificate is not trusted any
   *     more
   */
  void over(SSLSession session, TlsMaterial by) throws IOException {
    over = true;
    reads = 1;
    boolean trusted = false;
    try {
      by.checkResumed(session, false, sinceMillis);
      trusted = true;
    } finally {
      if (!trusted) {
        plain.close();
      }
    }
    Ledgers.handshakes().giveBack(host, 1);
  }

  /** From now on the socket is read without this, which does not know what is carried. */
  void leave() {
    left = true;
  }

  /** What a connection carries whose handshake is over. */
  InputStream carriedBy(SSLSocket connection) throws IOException {
    InputStream carried = connection.getInputStream();
    return new InputStream() {
      @Override
      public int read() throws IOException {
        int read = carried.read();
        reads = 1;
        return read;
      }

      @Override
      public int read(byte[] to, int offset, int length) throws IOException {
        int read = carried.read(to, offset, length);
        reads = 1;
        return read;
      }

      @Override
      public int available() throws IOException {
        return carried.available();
      }
    };
  }

  private boolean isPast() throws IOException {
    SSLSocket accepted = secure;
    TlsMaterial by = material;
    if (!over && accepted != null && by != null) {
      boolean goesOn = accepted.getHandshakeSession() != null;
      if (begun && !goesOn) {
        over(accepted.getSession(), by);
        leave();
      }
      begun = goesOn;
    }
    return left;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    if (isPast()) {
      return -1;
    }
    if (first.available() > 0) {
      return first.read(to, offset, length);
    }
    int read = in.read(to, offset, length);
    if (reads++ % READS_EACH == 0) {
      await();
    }
    return read;
  }

  @Override
  public int available() throws IOException {
    return left ? 0 : first.available() + in.available();
  }

  private void await() throws IOException {
    long since = System.nanoTime();
    if (!Ledgers.handshakes().await(host, 1, () -> isOver(since))) {
      throw new IOException("its host has begun too many handshakes");
    }
  }

  private boolean isOver(long since) {
    return plain.isClosed()
        || plain.isInputShutdown()
        || System.nanoTime() - since > longestWaitNanos;
  }
}

package io.karmi.stock;

import io.karmi.guard.Ledger;
import io.karmi.guard.Ledgers;
import io.karmi.guard.MessageMemory;
import io.karmi.guard.TakenOver;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A connection from which the first bytes have been read already; its next owner reads them again.
 *
 * <p>Stock RMI waits for hours for each byte. Until its peer has introduced itself it waits no
 * longer than the timeout that the socket had. The introduction has two parts: the protocol; then,
 * after an acknowledgement, the peer's address or a call. As thread-safe as the socket.
 *
 * <p>What comes without an answer in between is a call, of which stock RMI keeps what it has read:
 * twice its bytes count as {@linkplain Ledgers#messages memory of a message} until it is answered.
 */
final class ReplayedSocket extends Socket {
  private static final System.Logger LOG = System.getLogger(ReplayedSocket.class.getName());
  private static final int PARTS_OF_INTRODUCTION = 2;

  /** Calls that have fewer bytes are not counted. */
  private static final long FREE_BYTES = 1 << 13;

  /** Bytes of memory that a call takes for each of its bytes. */
  private static final int MEMORY_OF_BYTE = 2;

  /** Bytes of a call for which its caller may take as long as for the first one. */
  private static final int PIECE_BYTES = 1 << 16;

  /** A call that grows takes at least one byte more for this many that it has. */
  private static final int PART_OF_HELD = 4;

  private final Socket socket;
  private final PushbackInputStream in;
  private final Ledger.Account memory;
  private final Object count = new Object();

  /**
   * Bytes that have come of the present call, and bytes of memory that are held for it; guarded by
   * the count.
   */
  private volatile long callBytes;

  private long heldBytes;

  /** Whether more of a call is awaited. */
  private volatile boolean reading;

  /** When the first byte of the present call was awaited, or its next one if it has none. */
  private volatile long awaitedSinceNanos;

  /** Timeout of the introduction, in milliseconds; 0 for none. */
  private final int introductionTimeout;

  /** The timeout to be set when the introduction is over. */
  private int laterTimeout;

  private int partsRead;

  private final AtomicReference<@Nullable Runnable> whenClosed;

  ReplayedSocket(Socket socket, byte[] first, Runnable whenClosed) throws IOException {
    super((SocketImpl) null);
    this.socket = socket;
    this.whenClosed = new AtomicReference<>(whenClosed);
    introductionTimeout = socket.getSoTimeout();
    memory = Ledgers.messages().open(this::peer, 0, this::giveWay);
    in = new PushbackInputStream(new Rest(socket.getInputStream()), first.length);
    in.unread(first);
  }

  @Override
  public InputStream getInputStream() {
    return in;
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return new Answer(socket.getOutputStream());
  }

  private String peer() {
    InetAddress address = socket.getInetAddress();
    return address == null ? "a closed socket" : address.getHostAddress();
  }

  /** Others need the memory of its call: closes the connection, or forgoes that if it is read. */
  private boolean giveWay(String reason) {
    if (!reading) {
      synchronized (count) {
        memory.forgo();
        heldBytes = 0;
      }
      return true;
    }
    closeQuietly();
    return true;
  }

  private void closeQuietly() {
    try {
      close();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "closing a connection of stock RMI failed", e);
    }
  }

  /** This connection as the one sees it that has accepted it. */
  TakenOver asTaken() {
    return new TakenOver() {
      @Override
      public long waitedNanos(long now) {
        return reading ? (now - awaitedSinceNanos) / (1 + callBytes / PIECE_BYTES) : 0;
      }

      @Override
      public void close() {
        closeQuietly();
      }
    };
  }

  private void came(int bytes) throws IOException {
    long have;
    long held;
    synchronized (count) {
      callBytes += Math.max(0, bytes);
      have = callBytes;
      held = heldBytes;
    }
    long more = Math.max(MEMORY_OF_BYTE * have - held, held / PART_OF_HELD);
    if (have > FREE_BYTES && MEMORY_OF_BYTE * have > held) {
      MessageMemory.hold(memory, more, this::peer, have, held);
      synchronized (count) {
        heldBytes += more;
      }
    }
  }

  private void answered() {
    synchronized (count) {
      callBytes = 0;
      if (heldBytes > 0) {
        memory.hold(-heldBytes);
        heldBytes = 0;
      }
    }
  }

  /** What is sent: the call before it has been read. */
  private final class Answer extends FilterOutputStream {
    Answer(OutputStream to) {
      super(to);
    }

    @Override
    public void write(int value) throws IOException {
      answered();
      out.write(value);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      answered();
      out.write(bytes, offset, length);
    }
  }

  @Override
  public InetAddress getInetAddress() {
    return socket.getInetAddress();
  }

  @Override
  public int getPort() {
    return socket.getPort();
  }

  @Override
  public SocketAddress getRemoteSocketAddress() {
    return socket.getRemoteSocketAddress();
  }

  @Override
  public InetAddress getLocalAddress() {
    return socket.getLocalAddress();
  }

  @Override
  public int getLocalPort() {
    return socket.getLocalPort();
  }

  @Override
  public SocketAddress getLocalSocketAddress() {
    return socket.getLocalSocketAddress();
  }

  @Override
  public boolean isBound() {
    return socket.isBound();
  }

  @Override
  public boolean isConnected() {
    return socket.isConnected();
  }

  @Override
  public boolean isClosed() {
    return socket.isClosed();
  }

  @Override
  public boolean isInputShutdown() {
    return socket.isInputShutdown();
  }

  @Override
  public boolean isOutputShutdown() {
    return socket.isOutputShutdown();
  }

  @Override
  public void setTcpNoDelay(boolean on) throws SocketException {
    socket.setTcpNoDelay(on);
  }

  @Override
  public boolean getTcpNoDelay() throws SocketException {
    return socket.getTcpNoDelay();
  }

  @Override
  public void setKeepAlive(boolean on) throws SocketException {
    socket.setKeepAlive(on);
  }

  @Override
  public boolean getKeepAlive() throws SocketException {
    return socket.getKeepAlive();
  }

  @Override
  public synchronized void setSoTimeout(int millis) throws SocketException {
    laterTimeout = millis;
    socket.setSoTimeout(isIntroduced() ? millis : sooner(millis, introductionTimeout));
  }

  private static int sooner(int oneMillis, int otherMillis) {
    return oneMillis == 0 || otherMillis == 0
        ? Math.max(oneMillis, otherMillis)
        : Math.min(oneMillis, otherMillis);
  }

  @Override
  public synchronized int getSoTimeout() {
    return laterTimeout;
  }

  private boolean isIntroduced() {
    return partsRead >= PARTS_OF_INTRODUCTION;
  }

  private synchronized void partRead() throws SocketException {
    partsRead++;
    if (isIntroduced()) {
      socket.setSoTimeout(laterTimeout);
    }
  }

  /** Counts what comes until the peer is introduced. */
  private final class Rest extends FilterInputStream {
    Rest(InputStream in) {
      super(in);
    }

    private void begin() {
      if (callBytes == 0) {
        awaitedSinceNanos = System.nanoTime();
      }
      reading = true;
    }

    @Override
    public int read() throws IOException {
      begin();
      int value = super.read();
      reading = false;
      count();
      came(1);
      return value;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      begin();
      int count = super.read(bytes, offset, length);
      reading = false;
      count();
      came(count);
      return count;
    }

    private void count() throws SocketException {
      if (!isIntroduced()) {
        partRead();
      }
    }
  }

  @Override
  public void shutdownInput() throws IOException {
    socket.shutdownInput();
  }

  @Override
  public void shutdownOutput() throws IOException {
    socket.shutdownOutput();
  }

  @Override
  public void close() throws IOException {
    memory.close();
    Runnable first = whenClosed.getAndSet(null);
    if (first != null) {
      first.run();
    }
    socket.close();
  }

  @Override
  public String toString() {
    return socket.toString();
  }
}

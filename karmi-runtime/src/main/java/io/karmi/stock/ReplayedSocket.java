package io.karmi.stock;

import java.io.FilterInputStream;
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
 */
final class ReplayedSocket extends Socket {
  private static final int PARTS_OF_INTRODUCTION = 2;

  private final Socket socket;
  private final PushbackInputStream in;

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
    in = new PushbackInputStream(new Rest(socket.getInputStream()), first.length);
    in.unread(first);
  }

  @Override
  public InputStream getInputStream() {
    return in;
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return socket.getOutputStream();
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

    @Override
    public int read() throws IOException {
      int value = super.read();
      count();
      return value;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int count = super.read(bytes, offset, length);
      count();
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

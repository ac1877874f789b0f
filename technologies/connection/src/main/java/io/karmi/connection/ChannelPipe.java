package io.karmi.connection;

import io.karmi.connection.channel.NodeChannel;
import io.karmi.guard.HostRates;
import io.karmi.id.NodeId;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.CallFormat;
import io.karmi.technology.Pipe;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Pipe over a channel that carries messages. After the introductions the end that has opened it
 * sends its key, eight bytes. Then both ends send at any time.
 */
final class ChannelPipe implements Pipe {
  private final NodeChannel channel;
  private final String technology;
  private final long key;
  private final HostRates.@Nullable HostRate rate;
  private final Runnable whenClosed;
  private int timeoutMillis;
  private final AtomicBoolean closed = new AtomicBoolean();

  private ChannelPipe(
      NodeChannel channel,
      String technology,
      long key,
      HostRates.@Nullable HostRate rate,
      Runnable whenClosed) {
    this.channel = channel;
    this.technology = technology;
    this.key = key;
    this.rate = rate;
    this.whenClosed = whenClosed;
    channel.beDuplex();
  }

  static ChannelPipe open(NodeChannel channel, String technology, long key, Runnable whenClosed)
      throws IOException {
    byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(key).array();
    channel.send(bytes, 0, bytes.length);
    return new ChannelPipe(channel, technology, key, null, whenClosed);
  }

  /**
   * A pipe at the end that has accepted the channel: reads the key.
   *
   * @param timeoutMillis how long that may take as a whole; 0 for ever
   * @param rate limit of the other end's rate, or null
   */
  static ChannelPipe accept(
      NodeChannel channel,
      long timeoutMillis,
      HostRates.@Nullable HostRate rate,
      Runnable whenClosed)
      throws IOException {
    byte[] bytes = new byte[Long.BYTES];
    long begin = System.nanoTime();
    for (int done = 0; done < bytes.length; ) {
      channel.setReceiveTimeout(left(timeoutMillis, begin));
      int count = channel.receive(bytes, done, bytes.length - done);
      if (count < 0) {
        throw new EOFException("the pipe was closed before its opener has shown its key");
      }
      done += count;
    }
    channel.setReceiveTimeout(0);
    TechnologyId endpoint = channel.introduction().endpoint;
    String technology = endpoint == null ? "" : endpoint.technology();
    long key = ByteBuffer.wrap(bytes).getLong();
    return new ChannelPipe(channel, technology, key, rate, whenClosed);
  }

  private static int left(long timeoutMillis, long beginNanos) throws SocketTimeoutException {
    if (timeoutMillis == 0) {
      return 0;
    }
    long left = timeoutMillis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos);
    if (left <= 0) {
      throw new SocketTimeoutException(
          "no key in " + timeoutMillis + " ms (karmi.handshakeTimeout)");
    }
    return (int) Math.min(Integer.MAX_VALUE, left);
  }

  @Override
  public Object identity() {
    return channel.introduction().peer;
  }

  @Override
  public @Nullable Object credential() {
    return channel.introduction().peer.credential;
  }

  @Override
  public String technology() {
    return technology;
  }

  @Override
  public NodeId remote() {
    return channel.introduction().peer.node;
  }

  @Override
  public String peerName() {
    return channel.peerName();
  }

  @Override
  public @Nullable Object host() {
    return channel.accountable();
  }

  @Override
  public CallFormat format() {
    return channel.introduction().format;
  }

  @Override
  public boolean takesHeaders() {
    return channel.introduction().takesHeaders;
  }

  @Override
  public boolean takesKnocks() {
    return channel.introduction().takesKnocks;
  }

  @Override
  public boolean takesWindows() {
    return channel.introduction().takesWindows;
  }

  @Override
  public boolean isMemory() {
    return channel.isMemory();
  }

  @Override
  public long key() {
    return key;
  }

  @Override
  public int receive(byte[] to, int offset, int length) throws IOException {
    setTimeout(0);
    int count = channel.receive(to, offset, length);
    if (rate != null && count > 0) {
      rate.take(count, channel::isClosed);
    }
    return count;
  }

  /**
   * False for a channel with layers such as TLS, which may lose bytes at a timeout, and for one
   * with a limited rate, which may wait longer than the timeout.
   */
  @Override
  public boolean isTimed() {
    return rate == null && channel.isCheckable() && !channel.isSentInDoubt();
  }

  @Override
  public int receive(byte[] to, int offset, int length, int millis) throws IOException {
    setTimeout(millis);
    try {
      return channel.receive(to, offset, length);
    } catch (SocketTimeoutException e) {
      return 0;
    }
  }

  private void setTimeout(int millis) throws IOException {
    if (timeoutMillis != millis) {
      channel.setReceiveTimeout(millis);
      timeoutMillis = millis;
    }
  }

  @Override
  public void send(byte[] from, int offset, int length) throws IOException {
    channel.send(from, offset, length);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      try {
        channel.close();
      } finally {
        whenClosed.run();
      }
    }
  }
}

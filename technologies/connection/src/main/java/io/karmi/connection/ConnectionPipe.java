package io.karmi.connection;

import io.karmi.id.NodeId;
import io.karmi.marshal.CallFormat;
import io.karmi.technology.Pipe;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A pipe over a connection that carries messages. After the introductions the end that has opened
 * it sends its key, eight bytes; then both ends send what they like.
 */
final class ConnectionPipe implements Pipe {
  private final CallConnection connection;
  private final long key;
  private final Runnable whenClosed;
  private final AtomicBoolean closed = new AtomicBoolean();

  private ConnectionPipe(CallConnection connection, long key, Runnable whenClosed) {
    this.connection = connection;
    this.key = key;
    this.whenClosed = whenClosed;
    connection.beDuplex();
  }

  /** At the end that has opened the connection. */
  static ConnectionPipe open(CallConnection connection, long key, Runnable whenClosed)
      throws IOException {
    byte[] bytes = ByteBuffer.allocate(Long.BYTES).putLong(key).array();
    connection.send(bytes, 0, bytes.length);
    return new ConnectionPipe(connection, key, whenClosed);
  }

  /**
   * At the end that has accepted the connection: reads the key.
   *
   * @param timeoutMillis how long that may take
   */
  static ConnectionPipe accept(CallConnection connection, int timeoutMillis, Runnable whenClosed)
      throws IOException {
    byte[] bytes = new byte[Long.BYTES];
    connection.setReceiveTimeout(timeoutMillis);
    for (int done = 0; done < bytes.length; ) {
      int count = connection.receive(bytes, done, bytes.length - done);
      if (count < 0) {
        throw new EOFException("the pipe was closed before its opener has shown its key");
      }
      done += count;
    }
    connection.setReceiveTimeout(0);
    return new ConnectionPipe(connection, ByteBuffer.wrap(bytes).getLong(), whenClosed);
  }

  @Override
  public NodeId remote() {
    return connection.remote;
  }

  @Override
  public String peerName() {
    return connection.peerName();
  }

  @Override
  public CallFormat format() {
    return connection.format;
  }

  @Override
  public long key() {
    return key;
  }

  @Override
  public int receive(byte[] to, int offset, int length) throws IOException {
    return connection.receive(to, offset, length);
  }

  @Override
  public void send(byte[] from, int offset, int length) throws IOException {
    connection.send(from, offset, length);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      try {
        connection.close();
      } finally {
        whenClosed.run();
      }
    }
  }
}

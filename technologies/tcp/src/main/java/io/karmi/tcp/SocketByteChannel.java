package io.karmi.tcp;

import io.karmi.connection.channel.Introduction;
import io.karmi.connection.channel.NodeChannel;
import io.karmi.connection.channel.NothingSentException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/** A connection over a socket: a plain one, one of the program's own, or TLS over either. */
final class SocketByteChannel extends NodeChannel {
  private final Socket socket;
  private final @Nullable Object host;
  private final InputStream input;
  private final OutputStream output;

  /** Whether it is a socket of the JDK, without TLS, whose methods are known. */
  private final boolean plain;

  /** Whether the socket's timeouts are known to work. */
  private final boolean timed;

  /** Null for a socket of the JDK's own. */
  private final @Nullable OwnSocketClose ownClose;

  /**
   * @param host what {@link SocketArrival#host} says; null if this node has opened it
   * @param secured the socket, or TLS over it; it is closed by closing the socket
   * @param input what that carries
   * @param ownClose null for a socket of the JDK's own, whose close never waits
   */
  SocketByteChannel(
      Introduction introduction,
      Socket socket,
      Socket secured,
      InputStream input,
      @Nullable Object host,
      @Nullable OwnSocketClose ownClose)
      throws IOException {
    super(introduction);
    this.socket = socket;
    this.host = host;
    this.input = input;
    output = secured.getOutputStream();
    timed = socket.getClass() == Socket.class;
    this.ownClose = ownClose;
    plain = timed && secured == socket;
  }

  @Override
  public int receive(byte[] to, int offset, int length) throws IOException {
    return input.read(to, offset, length);
  }

  @Override
  public void send(byte[] from, int offset, int length) throws IOException {
    output.write(from, offset, length);
    output.flush();
  }

  /**
   * True for TLS and sockets of the program, which may fail after all bytes have left, when they
   * send something behind them.
   */
  @Override
  public boolean isSentInDoubt() {
    return !plain;
  }

  @Override
  public boolean endInput() throws IOException {
    socket.shutdownInput();
    return true;
  }

  @Override
  public boolean isCheckable() {
    return timed;
  }

  /**
   * The first bytes go ahead of the rest. Where the peer is gone, its host answers the first write
   * with a reset, which in the same host comes before the second: then the message was certainly
   * not read, and may be sent over another connection. A socket of the program's own need not pass
   * the first write on.
   */
  @Override
  public void sendAfterPause(byte[] from, int offset, int length, int headBytes)
      throws IOException {
    if (!timed) {
      send(from, offset, length);
      return;
    }
    try {
      output.write(from, offset, headBytes);
    } catch (IOException e) {
      throw new NothingSentException(e);
    }
    output.write(from, offset + headBytes, length - headBytes);
  }

  @Override
  public void setReceiveTimeout(int millis) throws IOException {
    socket.setSoTimeout(millis);
  }

  @Override
  public void expectSilence() {
    KeepAlive.set(socket);
  }

  @Override
  public @Nullable Object host() {
    return host;
  }

  @Override
  public String peerName() {
    return Tcp.hostOf(socket);
  }

  @Override
  protected void closeChannel() throws IOException {
    if (ownClose != null) {
      ownClose.close();
    } else {
      socket.close(); // never waits
    }
  }
}

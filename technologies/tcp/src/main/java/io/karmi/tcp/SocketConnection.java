package io.karmi.tcp;

import io.karmi.connection.CallConnection;
import io.karmi.connection.FrameHeader;
import io.karmi.connection.Introduction;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;

/** A connection over a socket: a plain one, one of the program's own, or TLS over either. */
final class SocketConnection extends CallConnection {
  private final Socket socket;
  private final InputStream input;
  private final OutputStream output;

  /**
   * Makes a connection of a socket whose ends have introduced themselves.
   *
   * @param secured the socket, or TLS over it; it is closed by closing the socket, which never
   *     waits
   */
  SocketConnection(Introduction introduction, Socket socket, Socket secured) throws IOException {
    super(introduction);
    this.socket = socket;
    input = secured.getInputStream();
    output = secured.getOutputStream();
  }

  @Override
  protected int receive(byte[] to, int offset, int length) throws IOException {
    return input.read(to, offset, length);
  }

  @Override
  protected void send(byte[] from, int offset, int length) throws IOException {
    output.write(from, offset, length);
  }

  /**
   * The header goes ahead of the rest. Where the peer is gone, its host answers the first write
   * with a reset, which in the same host comes before the second: then the message has surely not
   * been read, and may be sent over another connection.
   */
  @Override
  protected void sendAfterPause(byte[] from, int offset, int length) throws IOException {
    output.write(from, offset, FrameHeader.HEADER_BYTES);
    output.write(from, offset + FrameHeader.HEADER_BYTES, length - FrameHeader.HEADER_BYTES);
  }

  @Override
  protected void setReceiveTimeout(int millis) throws IOException {
    socket.setSoTimeout(millis);
  }

  @Override
  protected void expectSilence() {
    KeepAlive.set(socket);
  }

  @Override
  public String peerName() {
    return socket.getInetAddress().getHostAddress();
  }

  @Override
  protected void closeChannel() throws IOException {
    socket.close();
  }
}

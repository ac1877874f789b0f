package io.karmi.benchmarks.peers;

import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;

/** A TCP socket: one write and, mostly, one read per message. */
record SocketLink(Socket socket) implements Link {
  @Override
  public void send(byte[] message) throws IOException {
    socket.getOutputStream().write(message);
  }

  @Override
  public void receive(byte[] message) throws IOException {
    int count = socket.getInputStream().readNBytes(message, 0, message.length);
    if (count < message.length) {
      throw new EOFException();
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}

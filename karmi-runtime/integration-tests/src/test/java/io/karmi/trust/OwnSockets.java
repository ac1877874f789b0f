package io.karmi.trust;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.server.RMISocketFactory;

/** Sockets of a program's own, of which the runtime cannot know whether their close waits. */
final class OwnSockets extends RMISocketFactory {
  private static final class Own extends Socket {
    Own() {}

    Own(String host, int port) throws IOException {
      super(host, port);
    }
  }

  private static final class OwnServer extends ServerSocket {
    OwnServer(int port) throws IOException {
      super(port);
    }

    @Override
    public Socket accept() throws IOException {
      Socket accepted = new Own();
      implAccept(accepted);
      return accepted;
    }
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return new Own(host, port);
  }

  @Override
  public ServerSocket createServerSocket(int port) throws IOException {
    return new OwnServer(port);
  }
}

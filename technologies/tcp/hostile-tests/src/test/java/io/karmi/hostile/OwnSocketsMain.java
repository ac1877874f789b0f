package io.karmi.hostile;

import io.karmi.kit.FreePort;
import io.karmi.reference.Node;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.RMISocketFactory;
import java.util.Objects;

/** A node whose sockets are the program's own, and wait for a writer when they are closed. */
public final class OwnSocketsMain {
  private static final LargeObject OBJECT = new LargeObject();

  private OwnSocketsMain() {}

  /** What it serves. */
  public interface Large extends Remote {
    /** More than the sockets of both ends hold. */
    byte[] large() throws RemoteException;
  }

  private static final class LargeObject implements Large {
    @Override
    public byte[] large() {
      return new byte[64 << 20];
    }
  }

  private static final class Waiting extends Socket {
    private final Object writing = new Object();

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
          synchronized (writing) {
            out.write(from, offset, length);
          }
        }
      };
    }

    @Override
    public void close() throws IOException {
      synchronized (writing) {
        super.close();
      }
    }
  }

  private static final class Accepting extends ServerSocket {
    Accepting(int port) throws IOException {
      super(port, 50, InetAddress.getLoopbackAddress());
    }

    @Override
    public Socket accept() throws IOException {
      Socket accepted = new Waiting();
      implAccept(accepted);
      return accepted;
    }
  }

  /** Serves until its standard input ends. */
  public static void main(String[] arguments) throws Exception {
    RMISocketFactory.setSocketFactory(
        new RMISocketFactory() {
          @Override
          public Socket createSocket(String host, int port) throws IOException {
            return new Socket(host, port);
          }

          @Override
          public ServerSocket createServerSocket(int port) throws IOException {
            return new Accepting(port);
          }
        });
    int port = FreePort.any();
    UnicastRemoteObject.exportObject(OBJECT, port);
    System.out.println("port " + port);
    System.out.println(
        "object " + Objects.requireNonNull(Node.current().exported(OBJECT)).id().number());
    while (System.in.read() >= 0) {
      continue;
    }
    System.exit(0);
  }
}

package io.karmi.difference.programs;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMISocketFactory;
import java.rmi.server.RemoteServer;
import java.rmi.server.ServerNotActiveException;
import java.rmi.server.UnicastRemoteObject;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Sockets as in many a tutorial: they hold a socket, encrypt and buffer what goes through until it
 * is flushed, and pass on what was thought of: streams, ports, close.
 */
public final class Wrapped implements Program {
  /** Something to call. */
  public interface Mirror extends Remote {
    Object same(Object value) throws RemoteException;

    int back(Mirror caller, int depth) throws RemoteException;

    String host() throws RemoteException;
  }

  static final class MirrorObject implements Mirror {
    @Override
    public Object same(Object value) {
      return value;
    }

    @Override
    public String host() throws RemoteException {
      try {
        return RemoteServer.getClientHost();
      } catch (ServerNotActiveException e) {
        throw new RemoteException("not called", e);
      }
    }

    @Override
    public int back(Mirror caller, int depth) throws RemoteException {
      return depth == 0 ? 0 : 1 + caller.back(this, depth - 1);
    }
  }

  private static final int KEY = 0x5A;

  /** Static, so that no collector takes it. */
  private static final Mirror MIRROR = new MirrorObject();

  /** Knows nothing of timeouts and options. */
  static final class Layered extends Socket {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    Layered(Socket socket) throws IOException {
      this.socket = socket;
      in = new BufferedInputStream(new Decrypting(socket.getInputStream()));
      out = new BufferedOutputStream(new Encrypting(socket.getOutputStream()), 1 << 16);
    }

    @Override
    public InputStream getInputStream() {
      return in;
    }

    @Override
    public OutputStream getOutputStream() {
      return out;
    }

    @Override
    public int getPort() {
      return socket.getPort();
    }

    @Override
    public int getLocalPort() {
      return socket.getLocalPort();
    }

    @Override
    public synchronized void close() throws IOException {
      socket.close();
    }
  }

  static final class Decrypting extends FilterInputStream {
    Decrypting(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int value = super.read();
      return value < 0 ? value : value ^ KEY;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int count = super.read(bytes, offset, length);
      for (int i = 0; i < count; i++) {
        bytes[offset + i] ^= KEY;
      }
      return count;
    }
  }

  static final class Encrypting extends FilterOutputStream {
    Encrypting(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int value) throws IOException {
      out.write(value ^ KEY);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      byte[] copy = Arrays.copyOfRange(bytes, offset, offset + length);
      for (int i = 0; i < length; i++) {
        copy[i] ^= KEY;
      }
      out.write(copy);
    }
  }

  static final class Own extends RMISocketFactory {
    @Override
    public Socket createSocket(String host, int port) throws IOException {
      return new Layered(new Socket(host, port));
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
      return new ServerSocket(port) {
        @Override
        public Socket accept() throws IOException {
          return new Layered(super.accept());
        }
      };
    }
  }

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    RMISocketFactory.setSocketFactory(new Own());
    Registry registry = LocateRegistry.createRegistry(port);
    registry.rebind("mirror", UnicastRemoteObject.exportObject(MIRROR, 0));
    observed.accept("ready");
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    RMISocketFactory.setSocketFactory(new Own());
    Registry registry = LocateRegistry.getRegistry("localhost", port);
    Mirror mirror = (Mirror) registry.lookup("mirror");
    observed.accept("first: " + mirror.same("text"));
    observed.accept("caller's host: " + mirror.host());
    int[] large = new int[200_000];
    Arrays.setAll(large, i -> i);
    observed.accept("large: " + Arrays.equals(large, (int[]) mirror.same(large)));
    Mirror own = new MirrorObject();
    UnicastRemoteObject.exportObject(own, 0);
    observed.accept("back: " + mirror.back(own, 5));
    long begin = System.nanoTime();
    for (int i = 0; i < 50; i++) {
      mirror.same(i);
    }
    observed.accept("fifty in time: " + (seconds(begin) < 20));
    TimeUnit.MILLISECONDS.sleep(1500); // idle connections are looked at meanwhile
    begin = System.nanoTime();
    observed.accept("after a pause: " + mirror.same("text") + ", " + (seconds(begin) < 5));
    observed.accept("once more: " + mirror.same("text"));
    UnicastRemoteObject.unexportObject(own, true);
  }

  private static long seconds(long beginNanos) {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beginNanos);
  }
}

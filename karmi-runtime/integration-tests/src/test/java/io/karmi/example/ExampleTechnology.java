package io.karmi.example;

import io.karmi.connection.ConnectedTechnology;
import io.karmi.connection.channel.Handshake;
import io.karmi.connection.channel.NodeChannel;
import io.karmi.connection.guard.Slot;
import io.karmi.id.TechnologyId;
import io.karmi.technology.ConnectionSettings;
import io.karmi.technology.RuntimeThreads;
import io.karmi.technology.UpCall;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.ConnectIOException;
import java.rmi.RemoteException;
import java.util.List;

/** Calls over sockets of this host, with nothing but what there must be. */
final class ExampleTechnology extends ConnectedTechnology {
  static final String NAME = "example";
  private static final long HANDSHAKE_MILLIS = 60_000;

  private ServerSocket listener;

  ExampleTechnology(UpCall upCall) {
    super(upCall, new ConnectionSettings());
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int rank() {
    return 5; // above tcp, below uds
  }

  @Override
  public synchronized TechnologyId listen(int port) throws IOException {
    if (listener == null) {
      listener = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress());
      startWatch();
      ServerSocket opened = listener;
      RuntimeThreads.start("Example Accept", () -> acceptAll(opened), true);
    }
    return end(listener);
  }

  private static TechnologyId end(ServerSocket listener) {
    return new TechnologyId(NAME, String.valueOf(listener.getLocalPort()));
  }

  @Override
  public void release(TechnologyId endpoint) {} // there is one end, which stays

  @Override
  protected synchronized void closeListeners() {
    closeQuietly(listener);
  }

  private void acceptAll(ServerSocket from) {
    while (!from.isClosed()) {
      try {
        Socket socket = from.accept();
        Slot slot = limit().enter(new ExampleChannel.Accepted(socket));
        if (slot != null) {
          RuntimeThreads.start("Example Connection", () -> serve(socket, slot, end(from)), true);
        }
      } catch (IOException e) {
        continue; // closed, or one that has gone before it was taken
      }
    }
  }

  private void serve(Socket socket, Slot slot, TechnologyId end) {
    NodeChannel channel = null;
    watchdog().expect(socket, HANDSHAKE_MILLIS);
    try {
      Handshake offer = Handshake.read(socket.getInputStream());
      channel =
          new ExampleChannel(introducer().answer(offer, socket.getOutputStream(), end), socket);
    } catch (IOException e) {
      closeQuietly(socket);
      slot.giveBack();
    }
    if (watchdog().isOpen(socket, HANDSHAKE_MILLIS) && channel != null) {
      serveAccepted(channel, slot); // until it ends
    } else if (channel != null) {
      slot.giveBack();
    }
  }

  @Override
  protected List<String> addresses(String ofNode) {
    return List.of(ofNode);
  }

  @Override
  protected NodeChannel dial(String address, boolean messages) throws RemoteException {
    Socket socket = new Socket();
    watchdog().expect(socket, HANDSHAKE_MILLIS);
    NodeChannel channel = null;
    try {
      int port = Integer.parseInt(address);
      socket.connect(new java.net.InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      introducer().offer(socket.getOutputStream(), address, messages);
      Handshake answer = Handshake.read(socket.getInputStream());
      channel = new ExampleChannel(introducer().agree(answer, address, messages), socket);
      return channel;
    } catch (RemoteException e) {
      throw e;
    } catch (IOException | IllegalArgumentException e) {
      throw new ConnectIOException("nothing answers at " + address, new IOException(e));
    } finally {
      watchdog().isOpen(socket, HANDSHAKE_MILLIS);
      if (channel == null) {
        closeQuietly(socket);
      }
    }
  }

  private static void closeQuietly(Closeable closed) {
    try {
      if (closed != null) {
        closed.close();
      }
    } catch (IOException e) {
      System.getLogger("example").log(System.Logger.Level.DEBUG, "closing failed", e);
    }
  }
}

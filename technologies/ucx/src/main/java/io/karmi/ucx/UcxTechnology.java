package io.karmi.ucx;

import io.karmi.connection.ChannelTechnology;
import io.karmi.connection.channel.ChannelArrival;
import io.karmi.connection.channel.ChannelListener;
import io.karmi.connection.channel.HostAddress;
import io.karmi.connection.channel.NodeChannel;
import io.karmi.connection.guard.Slot;
import io.karmi.id.TechnologyId;
import io.karmi.technology.ConnectionSettings;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.rmi.ConnectException;
import java.rmi.RemoteException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/** Technology of UCX, between hosts that share a network that UCX supports. Thread-safe. */
public final class UcxTechnology extends ChannelTechnology {
  private static final int RANK = 25;

  /**
   * The socket that brings both ends together, and what a worker of UCX 1.13 opens for its shared
   * memory and sockets: eight for each of them alone, thirteen for both.
   */
  private static final int FILES_PER_CONNECTION = 13;

  private final Fabric fabric;
  private final UcxConnector connector;
  private final AtomicBoolean released = new AtomicBoolean();

  /**
   * Makes a technology that does not listen.
   *
   * @param fabric released when this is closed
   * @param secret the secret that other nodes have to know
   */
  UcxTechnology(UpCall upCall, ConnectionSettings settings, Fabric fabric, Secret secret) {
    super(Ucx.NAME, upCall, settings);
    this.fabric = fabric;
    connector = new UcxConnector(settings, watchdog(), introducer(), fabric, secret);
  }

  @Override
  public int rank() {
    return RANK;
  }

  @Override
  protected int filesPerConnection() {
    return FILES_PER_CONNECTION;
  }

  /** Binds a port that the system chooses, of this host only if no other host can be reached. */
  @Override
  protected ChannelListener openListener(BiConsumer<SocketChannel, TechnologyId> acceptor)
      throws IOException {
    boolean within = Transports.stayWithinHost();
    ServerSocketChannel server = ServerSocketChannel.open();
    boolean bound = false;
    try {
      InetAddress at = within ? InetAddress.getLoopbackAddress() : null;
      server.bind(new InetSocketAddress(at, 0), ChannelListener.BACKLOG);
      int port = server.socket().getLocalPort();
      String address = within ? HostAddress.loopback(port).toString() : HostAddress.listLocal(port);
      bound = true;
      return new ChannelListener(server, new TechnologyId(Ucx.NAME, address), acceptor);
    } finally {
      if (!bound) {
        server.close();
      }
    }
  }

  @Override
  protected ChannelArrival arrival(SocketChannel channel) {
    InetAddress host = channel.socket().getInetAddress();
    return new ChannelArrival(channel, host, host.getHostAddress());
  }

  @Override
  protected NodeChannel introduce(ChannelArrival arrival, Slot slot, TechnologyId endpoint)
      throws IOException {
    return connector.accept(arrival, slot, endpoint);
  }

  @Override
  protected void closeNetwork() {
    if (released.compareAndSet(false, true)) {
      fabric.release();
    }
  }

  @Override
  protected List<String> addresses(String ofNode) {
    return HostAddress.split(ofNode);
  }

  @Override
  protected NodeChannel dial(String address, boolean messages) throws RemoteException {
    if (standsAside() || released.get()) {
      throw new ConnectException("UCX is not used here any more");
    }
    return connector.connect(HostAddress.parse(address), messages);
  }
}

package io.karmi.uds;

import io.karmi.connection.ChannelTechnology;
import io.karmi.connection.channel.ChannelArrival;
import io.karmi.connection.channel.ChannelListener;
import io.karmi.connection.channel.Introduction;
import io.karmi.connection.channel.NodeChannel;
import io.karmi.connection.guard.Slot;
import io.karmi.guard.OwnDirectory;
import io.karmi.id.TechnologyId;
import io.karmi.technology.ConnectionSettings;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.rmi.ConnectException;
import java.rmi.RemoteException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/**
 * Technology between processes of one user on one host, which meet at a Unix-domain socket.
 * Subclasses decide what connections do with the socket afterwards. Thread-safe.
 */
public abstract class LocalTechnology extends ChannelTechnology {
  /**
   * Nanoseconds for which a look into the directory is valid; each reference that arrives needs
   * one.
   */
  private static final long LOOK_NANOS = 2_000_000_000L;

  private static final int MAXIMUM_LOOKS = 1000;

  /** The socket, and two of the selector by which an interrupted thread waits on. */
  private static final int FILES_PER_CONNECTION = 3;

  private final SocketDirectory directory;
  private final UdsConnector connector;
  private final SocketFiles sockets = new SocketFiles();

  /** Names that have been looked for, and when; a negative time if there was none. */
  private final Map<String, Look> looks = new ConcurrentHashMap<>();

  private record Look(boolean found, long atNanos) {}

  /**
   * Makes a technology that does not listen.
   *
   * @param name of the technology, the first half of its UTIDs
   */
  protected LocalTechnology(String name, UpCall upCall, ConnectionSettings settings) {
    this(name, upCall, settings, SocketDirectory.configured());
  }

  LocalTechnology(
      String name, UpCall upCall, ConnectionSettings settings, SocketDirectory directory) {
    super(name, upCall, settings);
    this.directory = directory;
    this.connector = new UdsConnector(settings, watchdog(), introducer(), this);
  }

  /**
   * Makes a connection, at the end that has opened it. Both ends have introduced themselves, and
   * the deadline for that still holds.
   *
   * @param channel in blocking mode; belongs to the connection if this returns
   * @param selector to wait in; the same
   * @param peerName the host of the other end
   */
  protected abstract NodeChannel opened(
      Introduction introduction, SocketChannel channel, Selector selector, String peerName)
      throws IOException;

  /**
   * Called before this end introduces itself. The other end takes the connection for open then;
   * where it does not, {@link #accepted} has its place {@linkplain Slot#keep kept}.
   */
  protected void answering(Slot slot, boolean forMessages) throws IOException {
    slot.keep(forMessages);
  }

  /** As {@link #opened}, at the end that has accepted the connection, which has a place. */
  protected abstract NodeChannel accepted(
      Introduction introduction,
      SocketChannel channel,
      Selector selector,
      String peerName,
      Slot slot)
      throws IOException;

  /**
   * Prepares what the first accepted connection would wait for; called by a thread that then waits
   * for connections.
   */
  protected void prepareToAccept() {}

  /** Prepares what a connection needs at the end that opens it, while the other end answers. */
  protected void prepareToOpen() {}

  void prepare() {
    connector.host();
    prepareToAccept();
  }

  /** The user that this process runs as. */
  protected static UserPrincipal ownUser() throws IOException {
    return OwnDirectory.user();
  }

  @Override
  protected final ChannelListener openListener(BiConsumer<SocketChannel, TechnologyId> acceptor)
      throws IOException {
    return UdsListener.open(this, directory, sockets, acceptor);
  }

  @Override
  protected final ChannelArrival arrival(SocketChannel channel) {
    return new ChannelArrival(channel, null, connector.host());
  }

  @Override
  protected final NodeChannel introduce(ChannelArrival arrival, Slot slot, TechnologyId endpoint)
      throws IOException {
    return connector.accept(arrival.channel(), slot, endpoint);
  }

  /** Whether the socket is in this process's directory. The result is kept for a while. */
  @Override
  public boolean reaches(TechnologyId id) {
    if (!super.reaches(id) || !SocketDirectory.isName(id.address())) {
      return false;
    }
    Look look = looks.get(id.address());
    if (look == null || System.nanoTime() - look.atNanos > LOOK_NANOS) {
      look = new Look(directory.find(id.address()) != null, System.nanoTime());
      if (looks.size() >= MAXIMUM_LOOKS) {
        looks.clear();
      }
      looks.put(id.address(), look);
    }
    return look.found;
  }

  @Override
  protected final int filesPerConnection() {
    return FILES_PER_CONNECTION;
  }

  @Override
  protected List<String> addresses(String ofNode) {
    return List.of(ofNode);
  }

  @Override
  protected NodeChannel dial(String address, boolean messages) throws RemoteException {
    Path socket = standsAside() ? null : directory.find(address);
    if (socket == null) {
      throw new ConnectException("no socket " + address + " in " + directory);
    }
    return connector.connect(socket, messages);
  }
}

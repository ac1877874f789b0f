package io.karmi.uds;

import io.karmi.connection.CallConnection;
import io.karmi.connection.ConnectedTechnology;
import io.karmi.connection.ConnectionPool;
import io.karmi.connection.ConnectionSettings;
import io.karmi.connection.Introduction;
import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallInput;
import io.karmi.technology.RuntimeThreads;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.rmi.ConnectException;
import java.rmi.RemoteException;
import java.rmi.server.RMISocketFactory;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Calls between processes of one user on one host, which meet at a Unix-domain socket: all of such
 * a technology but what its connections do with the socket afterwards.
 *
 * <p>It stands aside where the program has a say in how calls travel: where it sets a factory of
 * all sockets, or a security manager. Thread-safe.
 */
public abstract class LocalTechnology extends ConnectedTechnology {
  /** For how long a look into the directory counts, which each reference costs that arrives. */
  private static final long LOOK_NANOS = 2_000_000_000L;

  private static final int MOST_LOOKS = 1000;

  private static final @Nullable Class<?> VIRTUAL_THREAD = virtualThread();

  private final String name;
  private final SocketDirectory directory;
  private final UdsConnector connector;
  private final UdsListeners listeners;
  private final AtomicInteger count = new AtomicInteger();

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
    super(upCall, settings);
    this.name = name;
    this.directory = directory;
    this.connector = new UdsConnector(settings, watchdog(), introducer(), this);
    this.listeners = new UdsListeners(name, directory, this::start);
  }

  /**
   * Makes a connection, at the end that has opened it. Both ends have introduced themselves, and
   * the deadline for that still holds.
   *
   * @param channel in blocking mode; belongs to the connection if this returns
   * @param peerName the host of the other end
   */
  protected abstract CallConnection opened(
      Introduction introduction, SocketChannel channel, String peerName) throws IOException;

  /** As {@link #opened}, at the end that has accepted the connection. */
  protected abstract CallConnection accepted(
      Introduction introduction, SocketChannel channel, String peerName) throws IOException;

  private static @Nullable Class<?> virtualThread() {
    try {
      return Class.forName("java.lang.VirtualThread", false, null); // its scheduler is not needed
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public TechnologyId listen(int port) throws IOException {
    TechnologyId endpoint = listenFromBegin(port);
    begin(endpoint);
    return endpoint;
  }

  @Override
  public TechnologyId listenFromBegin(int port) throws IOException {
    if (standsAside()) {
      throw new IOException("the program has sockets or a security manager of its own");
    }
    TechnologyId endpoint = listeners.listenFromBegin(port);
    startWatch();
    return endpoint;
  }

  @Override
  public void begin(TechnologyId endpoint) {
    listeners.begin(endpoint);
  }

  @Override
  public void release(TechnologyId endpoint) {
    listeners.release(endpoint);
  }

  @Override
  protected void closeListeners() {
    listeners.closeAll();
  }

  @SuppressWarnings("removal") // there are none any more from JDK 24 on
  private static boolean standsAside() {
    return RMISocketFactory.getSocketFactory() != null || System.getSecurityManager() != null;
  }

  /**
   * Whether the socket is in this process's directory; that is not looked at for each reference.
   */
  @Override
  public boolean reaches(TechnologyId id) {
    if (!id.technology().equals(name) || !SocketDirectory.isName(id.address())) {
      return false;
    }
    if (standsAside()) {
      return false;
    }
    Look look = looks.get(id.address());
    if (look == null || System.nanoTime() - look.atNanos > LOOK_NANOS) {
      look = new Look(directory.find(id.address()) != null, System.nanoTime());
      if (looks.size() >= MOST_LOOKS) {
        looks.clear();
      }
      looks.put(id.address(), look);
    }
    return look.found;
  }

  @Override
  protected List<String> addresses(String ofNode) {
    return List.of(ofNode);
  }

  @Override
  protected CallConnection dial(ConnectionPool home, String address) throws RemoteException {
    Path socket = standsAside() ? null : directory.find(address);
    if (socket == null) {
      throw new ConnectException("no socket " + address + " in " + directory);
    }
    return connector.connect(home, socket);
  }

  /**
   * A virtual thread that waits here would hold on to its carrier: it calls by the next best
   * technology.
   */
  @Override
  protected CallInput exchange(
      ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException {
    if (VIRTUAL_THREAD != null && Thread.currentThread().getClass() == VIRTUAL_THREAD) {
      ConnectedTechnology other = nextBest(target);
      if (other != null) {
        return exchange(other, target, type, methodNumber, arguments);
      }
    }
    return super.exchange(target, type, methodNumber, arguments);
  }

  /** Hands a channel that has come in to a thread of its own, or refuses it. */
  private void start(SocketChannel channel, TechnologyId endpoint) {
    boolean started = false;
    try {
      if (!standsAside()) {
        if (limit().enter(new ChannelArrival(channel))) {
          startEntered(channel, endpoint);
        }
        started = true;
      }
    } finally {
      if (!started) {
        UdsConnector.closeQuietly(channel);
      }
    }
  }

  private void startEntered(SocketChannel channel, TechnologyId endpoint) {
    boolean started = false;
    try {
      String threadName =
          "KaRMI "
              + name.toUpperCase(Locale.ROOT)
              + " Connection("
              + count.incrementAndGet()
              + ")-"
              + connector.host();
      RuntimeThreads.start(threadName, () -> accept(channel, endpoint), true);
      started = true;
    } finally {
      if (!started) {
        limit().leave();
      }
    }
  }

  /**
   * Serves a channel that has come in and was admitted, until it ends or goes on in another thread.
   * Runs in the connection's thread.
   */
  private void accept(SocketChannel channel, TechnologyId endpoint) {
    CallConnection connection = null;
    try {
      connection = connector.accept(channel, endpoint);
    } catch (IOException e) {
      Uds.LOG.log(System.Logger.Level.DEBUG, "connection refused", e);
    } finally {
      if (connection == null) {
        limit().leave();
        UdsConnector.closeQuietly(channel);
      }
    }
    if (connection != null) {
      serveAccepted(connection);
    }
  }
}

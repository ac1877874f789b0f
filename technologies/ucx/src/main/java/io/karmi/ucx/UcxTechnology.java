package io.karmi.ucx;

import io.karmi.connection.CallConnection;
import io.karmi.connection.ConnectedTechnology;
import io.karmi.connection.ConnectionPool;
import io.karmi.connection.ConnectionSettings;
import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallInput;
import io.karmi.technology.RuntimeThreads;
import io.karmi.technology.UpCall;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.rmi.ConnectException;
import java.rmi.RemoteException;
import java.rmi.server.RMISocketFactory;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Calls over UCX, between hosts that share a network which it speaks.
 *
 * <p>It stands aside where the program has a say in how calls travel: where it sets a factory of
 * all sockets, or a security manager. Thread-safe.
 */
public final class UcxTechnology extends ConnectedTechnology {
  private static final int RANK = 25;

  private static final @Nullable Class<?> VIRTUAL_THREAD = virtualThread();

  private final Fabric fabric;
  private final UcxConnector connector;
  private final SideListeners listeners;
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicBoolean released = new AtomicBoolean();

  /**
   * Makes a technology that does not listen.
   *
   * @param fabric released when this is closed
   * @param secret that other nodes have to know
   */
  UcxTechnology(UpCall upCall, ConnectionSettings settings, Fabric fabric, Secret secret) {
    super(upCall, settings);
    this.fabric = fabric;
    connector = new UcxConnector(settings, watchdog(), introducer(), fabric, secret);
    listeners = new SideListeners(this::start);
  }

  private static @Nullable Class<?> virtualThread() {
    try {
      return Class.forName("java.lang.VirtualThread");
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  @Override
  public String name() {
    return Ucx.NAME;
  }

  @Override
  public int rank() {
    return RANK;
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

  @Override
  protected void closeNetwork() {
    if (released.compareAndSet(false, true)) {
      fabric.release();
    }
  }

  @SuppressWarnings("removal") // there are none any more from JDK 24 on
  private static boolean standsAside() {
    return RMISocketFactory.getSocketFactory() != null || System.getSecurityManager() != null;
  }

  @Override
  public boolean reaches(TechnologyId id) {
    return super.reaches(id) && !standsAside();
  }

  @Override
  protected List<String> addresses(String ofNode) {
    return SideAddress.parseList(ofNode);
  }

  @Override
  protected CallConnection dial(ConnectionPool home, String address) throws RemoteException {
    if (standsAside() || released.get()) {
      throw new ConnectException("UCX is not used here any more");
    }
    return connector.connect(home, SideAddress.parse(address));
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

  /** Hands a connection that has come in to a thread of its own, or refuses it. */
  private void start(SocketChannel channel, TechnologyId endpoint) {
    boolean started = false;
    try {
      if (!standsAside()) {
        SideArrival arrival = new SideArrival(channel);
        if (limit().enter(arrival)) {
          startEntered(arrival, endpoint);
        }
        started = true;
      }
    } finally {
      if (!started) {
        Ucx.closeQuietly(channel);
      }
    }
  }

  private void startEntered(SideArrival arrival, TechnologyId endpoint) {
    boolean started = false;
    try {
      String threadName =
          "KaRMI UCX Connection("
              + count.incrementAndGet()
              + ")-"
              + arrival.channel().socket().getInetAddress().getHostAddress();
      RuntimeThreads.start(threadName, () -> accept(arrival, endpoint), true);
      started = true;
    } finally {
      if (!started) {
        limit().leave(arrival.host());
      }
    }
  }

  /**
   * Serves a connection that has come in and was admitted, until it ends or goes on in another
   * thread. Runs in the connection's thread.
   */
  private void accept(SideArrival arrival, TechnologyId endpoint) {
    CallConnection connection = null;
    try {
      connection = connector.accept(arrival, endpoint);
    } catch (IOException e) {
      Ucx.LOG.log(System.Logger.Level.DEBUG, "connection refused", e);
    } finally {
      if (connection == null) {
        limit().leave(arrival.host());
        Ucx.closeQuietly(arrival.channel());
      }
    }
    if (connection != null) {
      serveAccepted(connection);
    }
  }
}

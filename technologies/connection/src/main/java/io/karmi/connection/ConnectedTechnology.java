package io.karmi.connection;

import io.karmi.connection.call.CallConnection;
import io.karmi.connection.call.ConnectionLostException;
import io.karmi.connection.channel.Introducer;
import io.karmi.connection.channel.NodeChannel;
import io.karmi.connection.guard.ConnectionLimit;
import io.karmi.connection.guard.Slot;
import io.karmi.connection.guard.Watchdog;
import io.karmi.connection.pool.AcceptedConnections;
import io.karmi.connection.pool.ConnectionPool;
import io.karmi.connection.pool.Connections;
import io.karmi.connection.pool.Heartbeat;
import io.karmi.connection.pool.PoolOwner;
import io.karmi.connection.pool.Pools;
import io.karmi.guard.HostRates;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallInput;
import io.karmi.technology.ConnectionSettings;
import io.karmi.technology.PeerCalls;
import io.karmi.technology.Pipe;
import io.karmi.technology.Pipes;
import io.karmi.technology.Technology;
import io.karmi.technology.ThrownByCallee;
import io.karmi.technology.UpCall;
import java.io.Closeable;
import java.rmi.RemoteException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Technology that carries calls over connections: everything but the network itself.
 *
 * <p>A {@link CallRouter} takes each call to a connection. A subclass {@linkplain #dial dials}
 * other nodes, and {@linkplain #serveAccepted hands over} the connections that come in.
 * Thread-safe.
 */
public abstract class ConnectedTechnology extends Technology implements Pipes {
  /** Nanoseconds between two messages over a line that this end is there. */
  private static final long LINE_NANOS = 60_000_000_000L;

  private final UpCall upCall;
  private final ConnectionSettings settings;
  private final Owner owner = new Owner();
  private final Connections connections;

  private final Pools pools = new Pools(owner);
  private final CallRouter router = new CallRouter(this, owner, pools);
  private final OpenPipes pipes = new OpenPipes();
  private final Watchdog watchdog;
  private final Heartbeat heartbeat;
  private final Introducer introducer;

  private final ConnectionLimit limit;
  private final int mostToOpen;

  /** Number of connections that are being opened. */
  private final AtomicInteger opening = new AtomicInteger();

  private final AcceptedConnections accepted;
  private volatile boolean watched;
  private volatile boolean draining;
  private volatile boolean closed;

  /** Makes a technology that neither listens nor has connections. */
  protected ConnectedTechnology(UpCall upCall, ConnectionSettings settings) {
    this.upCall = upCall;
    this.settings = settings;
    this.connections = new Connections(settings);
    String label = getClass().getSimpleName().replace("Technology", "").toUpperCase(Locale.ROOT);
    this.watchdog = new Watchdog(label, settings, owner);
    this.heartbeat = new Heartbeat(label, watchdog, connections);
    this.introducer = new Introducer(upCall, settings);
    int files = filesPerConnection();
    this.limit = new ConnectionLimit(introducer, settings, watchdog, files);
    this.mostToOpen = ConnectionSettings.mostToOpen(files);
    this.accepted = new AcceptedConnections(owner, connections);
  }

  /**
   * Splits the address of a UTID into those that can be dialled, in the order in which they are
   * tried.
   *
   * @throws IllegalArgumentException if the address means nothing to this network
   */
  protected abstract List<String> addresses(String ofNode);

  /**
   * Opens a channel: reaches the other end, introduces both to each other, and keeps to the
   * deadlines of the settings.
   *
   * @param messages for {@link Introducer#offer}
   * @throws RemoteException if there is no channel; then nothing of it is left
   */
  protected abstract NodeChannel dial(String address, boolean messages) throws RemoteException;

  /** Number of files that a connection needs at one end; a constant. */
  protected int filesPerConnection() {
    return 1;
  }

  /** Closes all that listens; called by {@link #close}. */
  protected abstract void closeListeners();

  /** Releases what the network itself holds; called last by {@link #close}, perhaps twice. */
  protected void closeNetwork() {}

  /** The watchdog, which closes connections that are not open in time. */
  protected final Watchdog watchdog() {
    return watchdog;
  }

  /** The introducer of this node at new connections. */
  protected final Introducer introducer() {
    return introducer;
  }

  /** The limit of connections of others. */
  public final ConnectionLimit limit() {
    return limit;
  }

  /** The connections that are open. */
  public final Connections connections() {
    return connections;
  }

  /** Starts the watchdog, once; called before anything listens. */
  protected final void startWatch() {
    if (!watched) {
      startWatchOnce();
    }
  }

  private synchronized void startWatchOnce() {
    if (!watched && !closed) {
      watched = true;
      watchdog.start();
    }
  }

  @Override
  public boolean reaches(TechnologyId id) {
    try {
      return id.technology().equals(name()) && !addresses(id.address()).isEmpty();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  @Override
  protected CallInput exchange(
      ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException {
    return router.exchange(target, type, methodNumber, arguments);
  }

  @Override
  protected @Nullable SentCall send(
      ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException {
    CallConnection connection = router.send(target, type, methodNumber, arguments);
    return connection == null ? null : sent(connection);
  }

  private static SentCall sent(CallConnection connection) {
    Runnable canceller = connection.outgoing.canceller();
    return new SentCall() {
      @Override
      public CallInput await() throws RemoteException {
        try {
          return connection.outgoing.await();
        } catch (ConnectionLostException e) {
          throw connection.outgoing.lost(e);
        }
      }

      @Override
      public void cancel() {
        canceller.run();
      }
    };
  }

  @Override
  protected Closeable line(
      ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException, ThrownByCallee {
    CallConnection line = router.connect(target);
    line.outgoing.becomeLine();
    boolean open = false;
    try {
      longResult(CallRouter.call(line, target, type, methodNumber, arguments), type);
      open = true;
      return line::close;
    } finally {
      if (!open) {
        line.close();
      }
    }
  }

  /**
   * Whether this technology is to open a connection, and no other one. If so, {@link #endConnect}
   * must follow.
   */
  final boolean beginConnect(ObjectId target) {
    int count = opening.incrementAndGet() + connections.openedCount();
    boolean connects =
        alternatives().isToConnect(this, target)
            && (count <= mostToOpen || !alternatives().exist(this, target));
    if (!connects) {
      endConnect();
    }
    return connects;
  }

  final void endConnect() {
    opening.decrementAndGet();
  }

  /** Where this technology reaches an object. */
  protected final TechnologyId way(ObjectId target) {
    TechnologyId way = target.technology(name());
    if (way == null) {
      throw new IllegalArgumentException(target + " is not reached by " + name());
    }
    return way;
  }

  final PoolOwner owner() {
    return owner;
  }

  private CallConnection connect(ConnectionPool home, String address) throws RemoteException {
    startWatch();
    CallConnection connection = connection(dial(address, false), home);
    connection.tellArrivals(router::arrived);
    connection.watch.tellLimits(watchdog::hurry);
    connection.limitWaiting();
    connections.opened(connection);
    if (closed || connection.isClosed()) {
      connection.close();
    }
    return connection;
  }

  @Override
  public Pipe open(NodeId node, TechnologyId way, long key) throws RemoteException {
    startWatch();
    RemoteException problem = null;
    for (String address : addresses(way.address())) {
      try {
        return pipes.opened(dial(address, true), name(), node, address, key);
      } catch (RemoteException e) {
        problem = e;
      }
    }
    throw problem != null ? problem : new java.rmi.ConnectException(way + " has no address");
  }

  @Override
  public Collection<PeerCalls> callsByPeer() {
    return connections.callsByPeer();
  }

  @Override
  public Map<String, Long> counters() {
    Map<String, Long> counters = connections.counters();
    counters.put("connectionsAccepted", (long) limit.present());
    counters.put("connectionsRefused", limit.refused());
    counters.put("connectionsRefused.ofHost", limit.refusedOfHost());
    return counters;
  }

  /** Makes a connection of a channel, which is closed if that fails. */
  private static CallConnection connection(NodeChannel channel, @Nullable ConnectionPool home) {
    CallConnection connection = null;
    try {
      connection = new CallConnection(channel, home);
      return connection;
    } finally {
      if (connection == null) {
        channel.close(); // for want of memory
      }
    }
  }

  /**
   * Serves a channel that has come in, was admitted and has introduced itself, until it ends or
   * goes on in another thread. Runs in the connection's thread.
   *
   * @param slot its place, which this gives back
   */
  protected final void serveAccepted(NodeChannel channel, Slot slot) {
    if (channel.introduction().messages) {
      serveMessages(channel, slot);
    } else {
      serveCalls(channel, slot);
    }
  }

  private void serveCalls(NodeChannel channel, Slot slot) {
    CallConnection connection = null;
    boolean entered = false;
    try {
      connection = connection(channel, null);
      entered = accepted.enter(connection, slot);
      if (entered) {
        entered = false;
        begin(connection);
        entered = true;
      }
    } finally {
      if (!entered) {
        end(channel, connection, slot);
      }
    }
    if (entered) {
      accepted.serve(connection, slot);
    }
  }

  /** Gives the place back first, as memory may be short. */
  private void end(NodeChannel channel, @Nullable CallConnection connection, Slot slot) {
    if (connection != null) {
      accepted.end(connection, slot);
      return;
    }
    try {
      slot.giveBack();
    } finally {
      channel.close();
    }
  }

  /** Prepares a connection of others to be served. */
  private void begin(CallConnection connection) {
    connections.accepted(connection);
    connection.tellArrivals(router::arrived);
    connection.watch.tellLimits(watchdog::hurry);
    if (draining) {
      connection.end();
      connection.sayFarewell();
    }
    if (closed) {
      connection.close();
    }
  }

  /** The layer above has places of its own for pipes, and takes this one or closes it. */
  private void serveMessages(NodeChannel channel, Slot slot) {
    Object host = channel.host();
    HostRates.HostRate rate = connections.messagesBegin(host);
    try {
      pipes.accepted(channel, upCall, settings, rate, () -> connections.messagesEnd(host));
    } finally {
      slot.giveBack();
    }
  }

  @Override
  public final void drain() {
    draining = true;
    limit.end();
    closeListeners();
    heartbeat.farewell(connections.endAccepted());
  }

  @Override
  public final boolean isLeft() {
    return connections.acceptedCount() == 0;
  }

  @Override
  public final int runningCalls() {
    return connections.running();
  }

  @Override
  public final void close() {
    closed = true;
    closeListeners();
    synchronized (this) {
      watchdog.stop();
    }
    connections.closeAll();
    accepted.close();
    pipes.closeAll();
    closeNetwork();
  }

  /** This technology as its pools and its watchdog see it. */
  private final class Owner implements PoolOwner, Watchdog.Rounds {
    private long linesAtNanos = System.nanoTime();

    @Override
    public String name() {
      return ConnectedTechnology.this.name();
    }

    @Override
    public ConnectionSettings settings() {
      return settings;
    }

    @Override
    public List<String> addresses(String ofNode) {
      return ConnectedTechnology.this.addresses(ofNode);
    }

    @Override
    public CallConnection connect(ConnectionPool home, String address) throws RemoteException {
      return ConnectedTechnology.this.connect(home, address);
    }

    @Override
    public void tend(ConnectionPool pool) {
      pools.tend(pool);
    }

    @Override
    public void execute(Runnable work) {
      watchdog.execute(work);
    }

    @Override
    public void expect(Closeable checked, long timeoutMillis) {
      watchdog.expect(checked, timeoutMillis);
    }

    @Override
    public boolean isOpen(Closeable checked, long timeoutMillis) {
      return watchdog.isOpen(checked, timeoutMillis);
    }

    @Override
    public void closed(CallConnection connection) {
      connections.closed(connection);
    }

    @Override
    public void beginServing() {
      router.beginServing();
    }

    @Override
    public void endServing() {
      router.endServing();
    }

    @Override
    public boolean isOver() {
      return closed;
    }

    @Override
    public boolean release(long now) {
      if (settings.interruptible) {
        connections.releaseInterrupted();
      }
      connections.look(now);
      return connections.giveUpOverdue(now) | limit.isCrowded();
    }

    @Override
    public void round(long now, long pauseNanos) {
      connections.closeStalled(now, settings);
      connections.closeUntaken(now);
      connections.closeSilent(now, settings);
      heartbeat.round(now);
      pools.tendAll(now, pauseNanos);
      accepted.round(now);
      if (now - linesAtNanos >= LINE_NANOS) {
        linesAtNanos = now;
        connections.forEachLine(line -> execute(line.outgoing::keepLine));
      }
    }

    @Override
    public void closedBy(String setting) {
      connections.closedBy(setting);
    }
  }
}

package io.karmi.tcp;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallInput;
import io.karmi.technology.RuntimeThreads;
import io.karmi.technology.Technology;
import io.karmi.technology.ThrownByCallee;
import io.karmi.technology.UpCall;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.rmi.MarshalException;
import java.rmi.RemoteException;
import java.rmi.server.RMISocketFactory;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The technology that every node has.
 *
 * <p>A call takes an idle connection to the callee's node, or opens one, unless the calling thread
 * itself executes a call from that node: then it calls back over the connection that the other side
 * waits on. Thread-safe.
 */
public final class TcpTechnology extends Technology {
  static final String NAME = "tcp";
  static final System.Logger LOG = System.getLogger("io.karmi.tcp");

  private static final AtomicIntegerFieldUpdater<TcpTechnology> SERVING =
      AtomicIntegerFieldUpdater.newUpdater(TcpTechnology.class, "serving");

  /**
   * How many threads execute calls of other nodes, or may at any time: as long as there are none,
   * which is so in most clients, no caller need look whether it is one of them.
   */
  private volatile int serving;

  private final UpCall upCall;
  private final TcpSettings settings;
  private final Opening opening;
  private final Watchdog watchdog = new Watchdog(this);
  private final Listeners listeners = new Listeners(this);
  private final PeerTable<String> peersByAddress = new PeerTable<>(this);
  private final PeerTable<NodeId> peersByNode = new PeerTable<>(this);

  /** Peers with idle connections. */
  private final Set<Peer> warm = ConcurrentHashMap.newKeySet();

  private final Connections connections = new Connections();
  private final Admission admission;
  private @Nullable Thread watch;
  private volatile boolean closed;

  TcpTechnology(UpCall upCall, TcpSettings settings) {
    this.upCall = upCall;
    this.settings = settings;
    this.opening = new Opening(upCall, settings, watchdog);
    this.admission = new Admission(upCall.node(), settings.maximumConnections, watchdog);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public int rank() {
    return 0;
  }

  TcpSettings settings() {
    return settings;
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public TechnologyId listen(int port) throws IOException {
    TechnologyId endpoint = listenFromBegin(port);
    begin(endpoint);
    return endpoint;
  }

  @Override
  public TechnologyId listenFromBegin(int port) throws IOException {
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
  public TechnologyId end(TechnologyId name) {
    return listeners.end(name);
  }

  @Override
  public int port(TechnologyId endpoint) {
    return listeners.port(endpoint);
  }

  private synchronized void startWatch() {
    if (watch == null && !closed) {
      watch = RuntimeThreads.start("KaRMI TCP Watchdog", watchdog, true);
    }
  }

  @Override
  public boolean reaches(TechnologyId id) {
    try {
      return id.technology().equals(NAME) && !Address.parseList(id.address()).isEmpty();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  @Override
  public TechnologyId locate(String host, int port) {
    String named = host;
    if (named == null || named.isEmpty()) {
      try {
        named = InetAddress.getLocalHost().getHostAddress();
      } catch (java.net.UnknownHostException e) {
        named = InetAddress.getLoopbackAddress().getHostAddress();
      }
    }
    return new TechnologyId(NAME, new Address(named, port).toString());
  }

  @Override
  protected CallInput exchange(
      ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException {
    if (target.number() == ObjectId.COLLECTOR) {
      Connection registering = Calling.registering();
      if (registering != null && registering.calling.canRegister(target)) {
        return call(registering, target, type, methodNumber, arguments);
      }
    }
    Connection waiting = served();
    if (waiting != null && waiting.serving.canCallBack(target)) {
      return call(waiting, target, type, methodNumber, arguments);
    }
    Peer peer = peer(target);
    Connection idle = peer.takeIdle(target.node());
    if (idle == null) {
      return call(peer.connect(target.node()), target, type, methodNumber, arguments);
    }
    try {
      return idle.calling.call(target, type, methodNumber, arguments);
    } catch (ConnectionLostException e) {
      peer.forgetIdle();
      return callAgain(idle, e, peer, target, type, methodNumber, arguments);
    } catch (IOException e) {
      throw new MarshalException("error marshalling arguments", e);
    }
  }

  /** The connection whose call the current thread executes, or null. */
  private @Nullable Connection served() {
    return serving == 0 ? null : Serving.current();
  }

  /** The current thread may execute calls of another node from now on. */
  void beginServing() {
    SERVING.getAndIncrement(this);
  }

  /** The current thread executes no calls any more. */
  void endServing() {
    SERVING.getAndDecrement(this);
  }

  @Override
  public Closeable openLine(
      ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException, ThrownByCallee {
    Connection line = peer(target).connect(target.node());
    line.calling.becomeLine();
    boolean open = false;
    try {
      longResult(call(line, target, type, methodNumber, arguments), type);
      open = true;
      return line::close;
    } finally {
      if (!open) {
        line.close();
      }
    }
  }

  /**
   * Not over a connection that the callee waits on: its turn must be over before this call's is.
   */
  @Override
  protected @Nullable SentCall send(
      ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException {
    Connection waiting = served();
    if (waiting != null && waiting.serving.canCallBack(target)) {
      return null;
    }
    Peer peer = peer(target);
    Connection connection = peer.takeIdle(target.node());
    try {
      if (connection != null) {
        connection.calling.send(target, type, methodNumber, arguments);
        return sent(connection);
      }
    } catch (ConnectionLostException e) {
      if (connection.calling.isInterrupted()) {
        throw connection.calling.lost(e);
      }
      peer.forgetIdle(); // nothing was executed: the call was not sent completely
    } catch (IOException e) {
      throw new MarshalException("error marshalling arguments", e);
    }
    return sendAgain(peer.connect(target.node()), target, type, methodNumber, arguments);
  }

  private static SentCall sendAgain(
      Connection fresh,
      ObjectId target,
      RemoteInterface type,
      int methodNumber,
      Arguments arguments)
      throws RemoteException {
    try {
      fresh.calling.send(target, type, methodNumber, arguments);
      return sent(fresh);
    } catch (ConnectionLostException e) {
      throw fresh.calling.lost(e);
    } catch (IOException e) {
      throw new MarshalException("error marshalling arguments", e);
    }
  }

  private static SentCall sent(Connection connection) {
    return () -> {
      try {
        return connection.calling.await();
      } catch (ConnectionLostException e) {
        throw connection.calling.lost(e);
      }
    };
  }

  /** Calls over a connection that has just been opened, or that the callee waits on. */
  private static CallInput call(
      Connection connection,
      ObjectId target,
      RemoteInterface type,
      int methodNumber,
      Arguments arguments)
      throws RemoteException {
    try {
      return connection.calling.call(target, type, methodNumber, arguments);
    } catch (ConnectionLostException e) {
      throw connection.calling.lost(e);
    } catch (IOException e) {
      throw new MarshalException("error marshalling arguments", e);
    }
  }

  /**
   * An idle connection was dead. The call is repeated only if it cannot have been executed, because
   * it was not sent completely.
   */
  private CallInput callAgain(
      Connection dead,
      ConnectionLostException problem,
      Peer peer,
      ObjectId target,
      RemoteInterface type,
      int methodNumber,
      Arguments arguments)
      throws RemoteException {
    if (dead.calling.isInterrupted() || dead.calling.isRequestSent()) {
      throw dead.calling.lost(problem);
    }
    return call(peer.connect(target.node()), target, type, methodNumber, arguments);
  }

  @Override
  protected void finish(CallInput reply) throws IOException {
    ((FrameInput) reply.buffer).connection().calling.finish();
  }

  @Override
  protected void abandon(CallInput reply) {
    ((FrameInput) reply.buffer).connection().calling.abandon();
  }

  private Peer peer(ObjectId target) {
    TechnologyId way = target.technology(NAME);
    if (way == null) {
      throw new IllegalArgumentException(target + " is not reached by " + NAME);
    }
    Object known = way.attachment();
    if (known instanceof Peer && ((Peer) known).technology == this) {
      return (Peer) known;
    }
    Peer peer =
        target.number() == ObjectId.REGISTRY || target.node() == NodeId.UNKNOWN
            ? peersByAddress.get(way.address())
            : peersByNode.get(target.node());
    peer.addAddresses(way.address());
    way.attach(peer);
    return peer;
  }

  /**
   * Remembers by which address a node was reached; references to its objects then go there first.
   */
  void reached(NodeId node, Peer peer, Address address) {
    peersByNode.get(node).isAlso(peer, address);
  }

  /** Told by a peer that it has idle connections, which the watchdog has to look after. */
  void tend(Peer peer) {
    warm.add(peer);
  }

  /** One round of the watchdog. */
  void tendAll(long now, long checkAfterNanos) {
    for (Peer peer : List.copyOf(warm)) { // a peer asks to be tended again while it is
      warm.remove(peer);
      peer.tend(now, checkAfterNanos);
    }
    peersByAddress.purge();
    peersByNode.purge();
  }

  Connection connect(Peer home, Address address) throws RemoteException {
    startWatch();
    Connection connection = opening.connect(home, address);
    connections.opened(connection);
    if (closed || connection.isClosed()) {
      connection.close();
    }
    return connection;
  }

  /** The connections that are open. */
  Connections connections() {
    return connections;
  }

  @Override
  public @Nullable RMISocketFactory securedSockets() {
    return settings.tls == null ? null : new TlsSockets(settings.tls, settings);
  }

  @Override
  public Map<String, Long> counters() {
    Map<String, Long> counters = connections.counters();
    counters.put("connectionsAccepted", (long) admission.present());
    counters.put("connectionsRefused", admission.refused());
    return counters;
  }

  /** Counts the connections of others. */
  Admission admission() {
    return admission;
  }

  /**
   * Serves a connection that has come in and was admitted, until it ends or goes on in another
   * thread. Runs in the connection's thread.
   */
  void accept(Socket socket, TechnologyId endpoint) {
    Connection connection = null;
    boolean own = true;
    try {
      connection = opening.accept(socket, endpoint, admission::leave);
      own = connection != null;
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "connection refused", e);
    } finally {
      if (connection == null && own) {
        admission.leave();
        Opening.closeQuietly(socket);
      }
    }
    if (connection != null) {
      serveNew(connection);
    }
  }

  private void serveNew(Connection connection) {
    boolean entered = false;
    try {
      connections.accepted(connection);
      if (closed) {
        connection.close();
      }
      entered = true;
    } finally {
      if (!entered) {
        left(connection);
      }
    }
    serve(connection);
  }

  /** Its place is given back first and without allocating: memory may be short just then. */
  private void left(Connection connection) {
    admission.leave();
    try {
      connection.close();
    } finally {
      connections.ended(connection);
    }
  }

  private void serve(Connection connection) {
    CompletableFuture<?> until = null;
    beginServing();
    try {
      until = connection.serving.serveAll();
    } finally {
      endServing();
      if (until == null) {
        left(connection);
      }
    }
    if (until != null) {
      String name = Thread.currentThread().getName();
      until.whenComplete((result, problem) -> goOn(name, connection)); // by now this thread is out
    }
  }

  /** A future of the program's is complete, in whatever thread: the reply can be sent. */
  private void goOn(String name, Connection connection) {
    try {
      RuntimeThreads.start(name, () -> serve(connection), true);
    } catch (OutOfMemoryError e) {
      connection.close();
      serve(connection); // only ends the call: nothing can be sent or awaited any more
      LOG.log(System.Logger.Level.WARNING, "no thread for a reply to " + connection.remote, e);
    }
  }

  @Override
  public void close() {
    closed = true;
    listeners.closeAll();
    synchronized (this) {
      if (watch != null) {
        watch.interrupt();
      }
    }
    connections.closeAll();
  }
}

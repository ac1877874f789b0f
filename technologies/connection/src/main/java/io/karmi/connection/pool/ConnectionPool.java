package io.karmi.connection.pool;

import io.karmi.connection.call.CallConnection;
import io.karmi.connection.call.Home;
import io.karmi.id.NodeId;
import io.karmi.id.TechnologyId;
import java.io.Closeable;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Pool of idle connections to a node, or to the peer at an address, with its addresses.
 *
 * <p>Connections are used last in, first out, so that few stay warm and the others end. One of them
 * has a place of its own, and is taken and given back without a lock.
 *
 * <p>Thread-safe.
 */
public final class ConnectionPool implements Home, TechnologyId.Resolved {
  /** The number of calls after which a checked connection is replaced by one that reads faster. */
  private static final int CALLS_OF_CHECKED = 200;

  /**
   * Time in nanoseconds since a connection was last taken, after which a call over it is sent with
   * care.
   */
  private static final long FRESH_NANOS = 5_000_000;

  /** Upper bound of idle connections that one round of the watchdog checks. */
  private static final int CHECKS_PER_ROUND = 32;

  /**
   * Milliseconds for which a caller waits for a check. It takes one, less than to open a
   * connection. If no thread is free for it, or the peer takes nothing, the caller opens a
   * connection.
   */
  private static final long CHECK_MILLIS = 500;

  /**
   * How many addresses of a node are tried. A reference may name ten thousand; a node names those
   * of its network interfaces, the most useful first.
   */
  private static final int MAXIMUM_ADDRESSES = 64;

  /** Milliseconds after which a check is given up, and its connection closed. */
  private static final long LATE_MILLIS = 5_000;

  private static final AtomicReferenceFieldUpdater<ConnectionPool, @Nullable CallConnection> NEXT =
      AtomicReferenceFieldUpdater.newUpdater(ConnectionPool.class, CallConnection.class, "next");

  final PoolOwner owner;

  /** The node to which all its connections lead; null for any peer at an address. */
  private final @Nullable NodeId node;

  /** Whether {@link #node} is known, and must answer. */
  private final boolean ofNode;

  /**
   * The addresses in the references by which the node is called; null if it was found elsewhere.
   */
  private final @Nullable String named;

  /** The idle connection that is taken first, or null. */
  private volatile @Nullable CallConnection next;

  private final List<String> addresses = new CopyOnWriteArrayList<>();
  private final ArrayDeque<CallConnection> idle = new ArrayDeque<>();

  /**
   * Number of idle connections that are being checked, and are not among the others; guarded by
   * their lock.
   */
  private int checking;

  private volatile @Nullable ConnectionPool alias;

  /** The node that answers at this address; kept, so that its other references find this peer. */
  private volatile @Nullable ConnectionPool resident;

  /** Whether the watchdog knows that there are idle connections. */
  private volatile boolean tended;

  /** Whether its node has said that it ends. */
  private volatile boolean ended;

  /**
   * Made by a {@link PoolTable}.
   *
   * @param node null for any peer at an address
   */
  public ConnectionPool(PoolOwner owner, @Nullable NodeId node) {
    this(owner, node, null, node != null);
  }

  /** Made for a node where its references say that it is. */
  ConnectionPool(PoolOwner owner, NodeId node, String named) {
    this(owner, node, named, true);
  }

  private ConnectionPool(
      PoolOwner owner, @Nullable NodeId node, @Nullable String named, boolean ofNode) {
    this.owner = owner;
    this.named = named;
    this.node = node;
    this.ofNode = ofNode;
  }

  @Override
  public String technology() {
    return owner.name();
  }

  @Override
  public void closed(CallConnection connection) {
    owner.closed(connection);
  }

  @Override
  public void beginServing() {
    owner.beginServing();
  }

  @Override
  public void endServing() {
    owner.endServing();
  }

  /** Adds addresses that are not known yet, behind the others, as long as there are few. */
  synchronized void addAddresses(String list) {
    for (String address : owner.addresses(list)) {
      if (addresses.size() >= MAXIMUM_ADDRESSES) {
        return;
      }
      if (!addresses.contains(address)) {
        addresses.add(address);
      }
    }
  }

  /**
   * Notes that the node answers at an address of another pool, and has sent a reference over a
   * connection from there. Connections of that pool serve this one, and new ones go to that address
   * first, where the program has found the node.
   */
  void isFoundBy(ConnectionPool other, String address) {
    other.resident = this;
    alias = other;
    prefer(address);
  }

  /** True if all its connections lead to one node. */
  public boolean isOfNode() {
    return ofNode;
  }

  @Override
  public boolean isMeantBy(String address) {
    return address.equals(named);
  }

  /** True if connections of the other pool may serve this one. */
  public boolean sharesWith(@Nullable Home other) {
    return other == this
        || other instanceof ConnectionPool pool && (pool == alias || pool.alias == this);
  }

  private synchronized void prefer(String address) {
    if (addresses.isEmpty() || !addresses.get(0).equals(address)) {
      addresses.remove(address);
      addresses.add(0, address);
    }
  }

  /**
   * An idle connection to the node, or null.
   *
   * <p>After a process has waited, nothing that is read here is in a cache. So as little as
   * possible is read.
   */
  public @Nullable CallConnection takeIdle(NodeId node) {
    CallConnection found = take(node, this);
    if (found == null) {
      found = takeLate(node);
      if (found == null) {
        return null;
      }
    }
    long now = System.nanoTime();
    if (now - found.takenAtNanos > FRESH_NANOS) {
      found.outgoing.callCarefully();
    }
    found.takenAtNanos = now;
    return found;
  }

  /** One of this pool's own, for this pool or another one of the same peer. */
  private @Nullable CallConnection take(NodeId node, ConnectionPool taker) {
    boolean sure = ofNode && taker == this;
    CallConnection first = next;
    if (first != null
        && (sure || taker.isServedBy(first, node))
        && NEXT.compareAndSet(this, first, null)) {
      return first;
    }
    synchronized (idle) {
      first = idle.peekFirst();
      return first != null && (sure || taker.isServedBy(first, node)) ? idle.pollFirst() : null;
    }
  }

  /**
   * Whether a connection leads to a node. What is called at an address may be there only: then it
   * must lead to that end of the node.
   */
  private boolean isServedBy(CallConnection connection, NodeId node) {
    return (node == NodeId.UNKNOWN || node.equals(connection.remote))
        && (ofNode || addresses.contains(connection.dialled));
  }

  /** A connection that is not available at once, or null. */
  private @Nullable CallConnection takeLate(NodeId node) {
    CallConnection found = takeForeign(node);
    return found != null ? found : takeChecked(node, CHECK_MILLIS);
  }

  /** A connection whose check ends well within a time, or null. */
  private @Nullable CallConnection takeChecked(NodeId node, long millis) {
    if (!awaitCheck(millis)) {
      return null;
    }
    CallConnection found = take(node, this);
    return found != null ? found : takeForeign(node);
  }

  /** Waits for connections that are being checked; false if there are none. */
  private boolean awaitCheck(long millis) {
    ConnectionPool other = other();
    return awaitOwnCheck(millis) | (other != null && other.awaitOwnCheck(millis));
  }

  private boolean awaitOwnCheck(long millis) {
    synchronized (idle) {
      if (checking == 0) {
        return false;
      }
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
      try {
        for (long left = millis; checking > 0 && idle.isEmpty() && left > 0; ) {
          idle.wait(left);
          left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // the call is made over another connection
      }
      return true;
    }
  }

  /**
   * A connection of the pool for the same peer, which is moved here, so that the next call finds it
   * at once.
   */
  private @Nullable CallConnection takeForeign(NodeId node) {
    ConnectionPool other = other();
    CallConnection found = other == null ? null : other.take(node, this);
    if (found != null) {
      found.home = this;
    }
    return found;
  }

  /** The pool of the same peer by another name, or null. */
  private @Nullable ConnectionPool other() {
    ConnectionPool also = alias;
    return also != null ? also : resident;
  }

  @Override
  public void giveBack(CallConnection connection) {
    if (connection.isClosed()) {
      return;
    }
    if (connection.outgoing.isWornOut()
        || ended
        || connection.callsSinceCheck >= 0 && ++connection.callsSinceCheck > CALLS_OF_CHECKED) {
      connection.close();
      return;
    }
    connection.seenIdle = false;
    if (next == null && NEXT.compareAndSet(this, null, connection)) {
      askForTending();
    } else {
      keep(connection);
    }
  }

  private void keep(CallConnection connection) {
    synchronized (idle) {
      idle.addFirst(connection);
    }
    askForTending();
  }

  private void askForTending() {
    if (!tended) {
      tended = true;
      owner.tend(this);
    }
  }

  /** Closes all idle connections to the node: one of them has turned out to be dead. */
  public void forgetIdle() {
    closeIdle();
    ConnectionPool other = other();
    if (other != null) {
      other.closeIdle();
    }
  }

  /**
   * Called when the node at the other end of a connection has told that it ends. Nothing more is
   * sent to it. At the same address another one may begin.
   */
  @Override
  public void ends(CallConnection connection) {
    connection.callsSinceCheck = CALLS_OF_CHECKED;
    noteEnd(connection.remote);
    ConnectionPool other = other();
    if (other != null) {
      other.noteEnd(connection.remote);
    }
    forgetIdle();
  }

  /** Whether its node has told that it ends: no other technology is of use then. */
  public boolean isEnded() {
    return ended;
  }

  private void noteEnd(NodeId ending) {
    if (node != null && node.equals(ending)) {
      ended = true;
    }
  }

  private void closeIdle() {
    List<CallConnection> all;
    synchronized (idle) {
      setNextAside();
      all = new ArrayList<>(idle);
      idle.clear();
    }
    all.forEach(CallConnection::close);
  }

  /** Moves the connection in {@link #next} to the others; called under their lock. */
  private void setNextAside() {
    CallConnection first = NEXT.getAndSet(this, null);
    if (first != null) {
      idle.addFirst(first);
    }
  }

  /**
   * Opens a connection, trying all addresses in turn. Where no peer answers, one that is being
   * checked is as good, if the check ends well.
   *
   * @param node the node that must answer, or {@link NodeId#UNKNOWN}
   * @throws NoSuchObjectException if only other nodes answer
   * @throws RemoteException if no peer answers
   */
  public CallConnection connect(NodeId node) throws RemoteException {
    if (ended) {
      throw new java.rmi.ConnectException(
          "node " + node + " shuts down and takes no more calls; this one was not sent");
    }
    RemoteException problem = null;
    for (String address : addresses) {
      try {
        CallConnection connection = owner.connect(this, address);
        connection.dialled = address;
        if (node == NodeId.UNKNOWN || node.equals(connection.remote)) {
          if (problem != null) {
            prefer(address); // the next one need not wait for those that do not answer
          }
          return connection;
        }
        connection.close();
        problem =
            new NoSuchObjectException(
                "no such object in table: node " + node + " is gone, " + address + " is another");
      } catch (RemoteException e) {
        if (problem == null) {
          problem = e;
        }
      }
    }
    CallConnection checked = takeChecked(node, LATE_MILLIS);
    if (checked != null) {
      return checked;
    }
    throw problem != null
        ? problem
        : new java.rmi.ConnectException("node " + node + " has no address of " + owner.name());
  }

  /** Closes connections that have been idle for too long, and some of those that are dead. */
  public void tend(long now, long checkAfterNanos) {
    tended = false;
    List<CallConnection> suspects = new ArrayList<>();
    List<CallConnection> unknown = new ArrayList<>();
    synchronized (idle) {
      setNextAside();
      for (Iterator<CallConnection> all = idle.iterator(); all.hasNext(); ) {
        CallConnection connection = all.next();
        if (!connection.seenIdle) {
          connection.seenIdle = true;
          connection.idleSinceNanos = now;
          connection.aliveAtNanos = now;
        }
        if (now - connection.idleSinceNanos > owner.settings().idleTimeoutMillis * 1_000_000) {
          all.remove();
          connection.close();
        } else if (now - connection.aliveAtNanos > checkAfterNanos) {
          if (!connection.channel.isCheckable()) {
            all.remove();
            unknown.add(connection);
          } else if (suspects.size() < CHECKS_PER_ROUND) {
            suspects.add(connection);
          }
        }
      }
    }
    suspects.forEach(each -> owner.execute(() -> check(each)));
    unknown.forEach(each -> owner.execute(each::close));
    synchronized (idle) {
      if (!idle.isEmpty()) {
        askForTending();
      }
    }
  }

  private void check(CallConnection connection) {
    synchronized (idle) {
      if (!idle.remove(connection)) {
        return;
      }
      checking++;
    }
    boolean alive = false;
    Closeable late = connection::close;
    owner.expect(late, LATE_MILLIS);
    try {
      alive = connection.isAlive();
    } finally {
      checked(connection, owner.isOpen(late, LATE_MILLIS) && alive);
    }
  }

  private void checked(CallConnection connection, boolean alive) {
    if (alive) {
      connection.aliveAtNanos = System.nanoTime();
      connection.callsSinceCheck = 0;
      keep(connection);
    } else {
      connection.close();
    }
    synchronized (idle) {
      checking--;
      idle.notifyAll();
    }
  }
}

package io.karmi.connection;

import io.karmi.connection.call.CallConnection;
import io.karmi.connection.call.ConnectionLostException;
import io.karmi.connection.call.IncomingCalls;
import io.karmi.connection.call.OutgoingCalls;
import io.karmi.connection.pool.ArrivedWay;
import io.karmi.connection.pool.ConnectionPool;
import io.karmi.connection.pool.PoolOwner;
import io.karmi.connection.pool.Pools;
import io.karmi.id.ObjectId;
import io.karmi.id.RemoteInterface;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallInput;
import io.karmi.technology.ApplicationCalls;
import io.karmi.technology.NotConnectedException;
import java.io.IOException;
import java.rmi.MarshalException;
import java.rmi.RemoteException;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Takes each call of a technology to a connection: the one that the callee waits on, if the calling
 * thread itself executes a call from there; else an idle one to the callee's node, or a new one.
 * Thread-safe.
 */
final class CallRouter {
  private static final AtomicIntegerFieldUpdater<CallRouter> SERVING =
      AtomicIntegerFieldUpdater.newUpdater(CallRouter.class, "serving");

  /**
   * Upper bound of times that a call is made again over a new connection, because the callee gave
   * the place of the last one to others before the call came. A callee may do so to every call.
   */
  private static final int MOST_DECLINED = 16;

  /**
   * Number of threads that execute calls of other nodes, or may at any time. While it is 0, as in
   * most clients, a caller need not check whether it is one of them.
   */
  private volatile int serving;

  private final ConnectedTechnology technology;
  private final PoolOwner owner;
  private final Pools pools;

  CallRouter(ConnectedTechnology technology, PoolOwner owner, Pools pools) {
    this.technology = technology;
    this.owner = owner;
    this.pools = pools;
  }

  /** Sends a call and waits for the reply, as {@link ApplicationCalls#exchange} does. */
  CallInput exchange(ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException {
    if (target.isControl()) {
      CallConnection registering = OutgoingCalls.registering();
      if (registering != null
          && registering.outgoing.canRegister(target)
          && isOwnerAt(target, registering)) {
        return call(registering, target, type, methodNumber, arguments);
      }
    }
    CallConnection waiting = served();
    if (waiting != null && canCallBack(waiting, target)) {
      return call(waiting, target, type, methodNumber, arguments);
    }
    ConnectionPool pool = pool(target);
    CallConnection idle = pool.takeIdle(target.node());
    if (idle == null) {
      return callFresh(pool, target, type, methodNumber, arguments);
    }
    try {
      return idle.outgoing.call(target, type, methodNumber, arguments);
    } catch (ConnectionLostException e) {
      forgetIdle(pool, idle);
      checkUnsent(idle, e);
      return callFresh(pool, target, type, methodNumber, arguments);
    } catch (IOException e) {
      throw new MarshalException("error marshalling arguments", e);
    }
  }

  /** The connection whose call the current thread executes, or null. */
  private @Nullable CallConnection served() {
    return serving == 0 ? null : IncomingCalls.current();
  }

  /** Called by a thread that may execute calls of another node from now on. */
  void beginServing() {
    SERVING.getAndIncrement(this);
  }

  /** Called by a thread that executes no calls any more. */
  void endServing() {
    SERVING.getAndDecrement(this);
  }

  /**
   * Sends a call, but not over a connection that the callee waits on, which must be used in turn.
   *
   * @return the connection, over which the reply comes; null if nothing was sent
   */
  @Nullable CallConnection send(
      ObjectId target, RemoteInterface type, int methodNumber, Arguments arguments)
      throws RemoteException {
    CallConnection waiting = served();
    if (waiting != null && canCallBack(waiting, target)) {
      return null;
    }
    ConnectionPool pool = pool(target);
    CallConnection connection = pool.takeIdle(target.node());
    try {
      if (connection != null) {
        connection.outgoing.send(target, type, methodNumber, arguments);
        return connection;
      }
    } catch (ConnectionLostException e) {
      forgetIdle(pool, connection);
      checkUnsent(connection, e);
    } catch (IOException e) {
      throw new MarshalException("error marshalling arguments", e);
    }
    return overFresh(
        pool,
        target,
        fresh -> {
          fresh.outgoing.send(target, type, methodNumber, arguments);
          return fresh;
        });
  }

  /** Calls over a connection that has just been opened, or that the callee waits on. */
  static CallInput call(
      CallConnection connection,
      ObjectId target,
      RemoteInterface type,
      int methodNumber,
      Arguments arguments)
      throws RemoteException {
    try {
      return connection.outgoing.call(target, type, methodNumber, arguments);
    } catch (ConnectionLostException e) {
      throw connection.outgoing.lost(e);
    } catch (IOException e) {
      throw new MarshalException("error marshalling arguments", e);
    }
  }

  /**
   * Drops the other idle connections to a node, which are as dead as this one, unless its call was
   * given up in time, or this one alone has given way.
   */
  private static void forgetIdle(ConnectionPool pool, CallConnection dead) {
    if (!dead.outgoing.isOverdue() && !dead.outgoing.isDeclined()) {
      pool.forgetIdle();
    }
  }

  /**
   * Called when an idle connection was dead. The call is made again only if it cannot have been
   * executed, because it was not sent completely.
   *
   * @throws RemoteException if it may have been, or was given up
   */
  private static void checkUnsent(CallConnection dead, ConnectionLostException problem)
      throws RemoteException {
    if (dead.outgoing.isGivenUp() || dead.outgoing.isRequestSent()) {
      throw dead.outgoing.lost(problem);
    }
  }

  /** What is done over a connection. */
  private interface Over<T> {
    T run(CallConnection connection) throws IOException;
  }

  private CallInput callFresh(
      ConnectionPool pool,
      ObjectId target,
      RemoteInterface type,
      int methodNumber,
      Arguments arguments)
      throws RemoteException {
    return overFresh(
        pool, target, fresh -> fresh.outgoing.call(target, type, methodNumber, arguments));
  }

  /** Does something over a new connection; over another one if the first has given way. */
  private <T> T overFresh(ConnectionPool pool, ObjectId target, Over<T> work)
      throws RemoteException {
    for (int declined = 0; ; declined++) {
      CallConnection fresh = connect(pool, target);
      try {
        return work.run(fresh);
      } catch (ConnectionLostException e) {
        if (!fresh.outgoing.isDeclined() || declined == MOST_DECLINED) {
          throw fresh.outgoing.lost(e);
        }
      } catch (IOException e) {
        throw new MarshalException("error marshalling arguments", e);
      }
    }
  }

  /** Opens a connection for an object, as below. */
  CallConnection connect(ObjectId target) throws RemoteException {
    return connect(pool(target), target);
  }

  /**
   * Opens a connection.
   *
   * @throws NotConnectedException if there is none, and another technology has to be asked
   */
  private CallConnection connect(ConnectionPool pool, ObjectId target) throws RemoteException {
    if (!technology.beginConnect(target)) {
      throw new NotConnectedException(technology.way(target), null);
    }
    try {
      return pool.connect(target.node());
    } catch (RemoteException e) {
      throw pool.isEnded() ? e : new NotConnectedException(technology.way(target), e);
    } finally {
      technology.endConnect();
    }
  }

  private ConnectionPool pool(ObjectId target) {
    TechnologyId way = technology.way(target);
    ConnectionPool known = Pools.known(way.attachment(), owner);
    return known != null ? known : pools.resolve(target, way);
  }

  private boolean canCallBack(CallConnection waiting, ObjectId target) {
    return waiting.incoming.canCallBack(target) && isOwnerAt(target, waiting);
  }

  /**
   * Whether the other end of a connection, which claims to be an object's owner, is proven to be
   * it: it has sent the reference itself, or it was dialled where the reference leads.
   */
  private boolean isOwnerAt(ObjectId target, CallConnection connection) {
    TechnologyId way = target.technology(technology.name());
    Object known = way == null ? null : way.attachment();
    return known instanceof ArrivedWay
        ? ((ArrivedWay) known).owner.equals(connection.peer)
        : connection.home != null && pool(target).sharesWith(connection.home);
  }

  /**
   * Called when a node has sent a reference to its own object, which is called where the node was
   * found, or over the node's own connections.
   */
  void arrived(CallConnection over, ObjectId object) {
    TechnologyId way = object.technology(technology.name());
    if (way == null || object.isOfOneEnd() || way.attachment() != null) {
      return;
    }
    if (!(over.home instanceof ConnectionPool home)) {
      way.attach(new ArrivedWay(over.peer));
    } else if (home.isOfNode()) {
      way.attach(home);
    } else if (technology.reaches(way)) {
      pools.found(home, over, object, way);
    }
  }
}

package io.karmi.connection.pool;

import io.karmi.connection.call.CallConnection;
import io.karmi.connection.channel.ConnectionLog;
import io.karmi.connection.guard.Slot;
import io.karmi.technology.RuntimeThreads;
import java.io.Closeable;
import java.util.concurrent.CompletableFuture;

/**
 * Service of the connections that other nodes have opened, each in a thread of its own while there
 * is work. Thread-safe.
 */
public final class AcceptedConnections {
  /** Milliseconds for which the thread of a connection that gives way may tell the caller so. */
  private static final long TELLING_MILLIS = 1000;

  /** The end of a connection that gives way; equal for one connection. A call is executed first. */
  private static final class Leaving implements Closeable {
    private final PoolOwner owner;
    private final CallConnection connection;

    Leaving(PoolOwner owner, CallConnection connection) {
      this.owner = owner;
      this.connection = connection;
    }

    @Override
    public void close() {
      if (connection.isExecuting()) {
        owner.expect(this, TELLING_MILLIS);
      } else {
        connection.close();
      }
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Leaving leaving && leaving.connection == connection;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(connection);
    }
  }

  private final PoolOwner owner;
  private final Connections connections;
  private final UnconfirmedReplies unconfirmed;

  /** Serves nothing yet. */
  public AcceptedConnections(PoolOwner owner, Connections connections) {
    this.owner = owner;
    this.connections = connections;
    unconfirmed = new UnconfirmedReplies(owner.settings().unconfirmedMillis);
  }

  /** Lets go of what is kept for callers that have gone; called now and then. */
  public void round(long now) {
    unconfirmed.round(now);
  }

  /** Lets go of all that is kept, for good. */
  public void close() {
    unconfirmed.close();
  }

  /**
   * Passes a place on to a connection, until it is closed.
   *
   * @return false if it has been given back meanwhile
   */
  public boolean enter(CallConnection connection, Slot slot) {
    connection.occupy(slot);
    return slot.pass(
        new Slot.Occupant() {
          @Override
          public String peerName() {
            return connection.peerName();
          }

          @Override
          public long waitedNanos(long now) {
            return connection.watch.waitedNanos(now);
          }

          @Override
          public void giveWay(String reason) {
            Leaving leaving = new Leaving(owner, connection);
            owner.expect(leaving, TELLING_MILLIS);
            if (!connection.giveUp(reason)) {
              owner.isOpen(leaving, TELLING_MILLIS);
            }
          }

          @Override
          public void left() {
            connections.ended(connection);
          }
        });
  }

  /**
   * Serves a connection until it ends, or until a future suspends its call: then another thread
   * goes on.
   */
  public void serve(CallConnection connection, Slot slot) {
    CompletableFuture<?> until = null;
    slot.enter();
    owner.beginServing();
    try {
      until = connection.incoming.serveAll();
    } finally {
      owner.endServing();
      slot.leave();
      if (until == null) {
        end(connection, slot);
        unconfirmed.keep(
            connection.unconfirmed(), connection.unconfirmedBytes(), connection.host());
      }
    }
    if (until != null) {
      String name = Thread.currentThread().getName();
      until.whenComplete(
          (result, problem) -> goOn(name, connection, slot)); // by now this thread is out
    }
  }

  /**
   * Its place is given back first and without allocating, as memory may be short. It may have been
   * taken before the connection was known as open.
   */
  public void end(CallConnection connection, Slot slot) {
    try {
      slot.giveBack();
    } finally {
      try {
        connections.ended(connection);
      } finally {
        connection.close();
        owner.isOpen(new Leaving(owner, connection), TELLING_MILLIS);
      }
    }
  }

  /** Called in any thread, when a future of the program is complete and the reply can be sent. */
  private void goOn(String name, CallConnection connection, Slot slot) {
    try {
      RuntimeThreads.start(name, () -> serve(connection, slot), true);
    } catch (OutOfMemoryError e) {
      connection.close();
      serve(connection, slot); // only ends the call: nothing can be sent or awaited any more
      ConnectionLog.LOG.log(
          System.Logger.Level.WARNING, "no thread for a reply to " + connection.remote, e);
    }
  }
}

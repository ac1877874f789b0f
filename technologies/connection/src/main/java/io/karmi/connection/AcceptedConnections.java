package io.karmi.connection;

import io.karmi.technology.RuntimeThreads;
import java.util.concurrent.CompletableFuture;

/**
 * Service of the connections that other nodes have opened, each in a thread of its own while there
 * is work. Thread-safe.
 */
final class AcceptedConnections {
  private final PoolOwner owner;
  private final Connections connections;
  private final ConnectionLimit limit;

  AcceptedConnections(PoolOwner owner, Connections connections, ConnectionLimit limit) {
    this.owner = owner;
    this.connections = connections;
    this.limit = limit;
  }

  /**
   * Ends a connection. Its place is given back first and without allocating, as memory may be
   * short.
   */
  void left(CallConnection connection) {
    limit.leave(connection.host());
    try {
      connection.close();
    } finally {
      connections.ended(connection);
    }
  }

  /**
   * Serves a connection until it ends, or until a future suspends its call: then another thread
   * goes on.
   */
  void serve(CallConnection connection) {
    CompletableFuture<?> until = null;
    owner.beginServing();
    try {
      until = connection.incoming.serveAll();
    } finally {
      owner.endServing();
      if (until == null) {
        left(connection);
      }
    }
    if (until != null) {
      String name = Thread.currentThread().getName();
      until.whenComplete((result, problem) -> goOn(name, connection)); // by now this thread is out
    }
  }

  /** Called in any thread, when a future of the program is complete and the reply can be sent. */
  private void goOn(String name, CallConnection connection) {
    try {
      RuntimeThreads.start(name, () -> serve(connection), true);
    } catch (OutOfMemoryError e) {
      connection.close();
      serve(connection); // only ends the call: nothing can be sent or awaited any more
      ConnectionLog.LOG.log(
          System.Logger.Level.WARNING, "no thread for a reply to " + connection.remote, e);
    }
  }
}

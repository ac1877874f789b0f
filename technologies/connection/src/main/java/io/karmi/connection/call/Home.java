package io.karmi.connection.call;

/**
 * Where a connection is kept that this node has opened: the pool of its node. Implemented by {@link
 * io.karmi.connection.pool.ConnectionPool}. Thread-safe.
 */
public interface Home {
  /** The name of the technology. */
  String technology();

  /** Keeps a connection for the next call. */
  void giveBack(CallConnection connection);

  /** Called when the node at the other end has told that it ends: this call is the last. */
  void ends(CallConnection connection);

  /** Called when a connection is closed. */
  void closed(CallConnection connection);

  /** Called by a thread that may execute calls of the other node from now on. */
  void beginServing();

  /** Called by a thread that executes no calls any more. */
  void endServing();
}

package io.karmi.dgc;

import io.karmi.id.NodeId;

/** Where a message of a collector has come from. */
public interface Sender {
  /** The node that says that it has sent it. */
  NodeId node();

  /**
   * Who has sent it, as far as that is proven: equal for two messages only if they come from the
   * same node. What a node holds is nobody else's to let go.
   */
  default Object identity() {
    return node();
  }

  /**
   * Runs something once the line over which the message came is closed, or its sender's process has
   * ended.
   */
  void whenGone(Runnable action);
}

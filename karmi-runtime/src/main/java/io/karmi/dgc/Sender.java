package io.karmi.dgc;

import io.karmi.id.NodeId;

/** Where a message of a collector has come from. */
public interface Sender {
  /** The node that sent it. */
  NodeId node();

  /**
   * Runs something once the line over which the message came is closed, or its sender's process has
   * ended.
   */
  void whenGone(Runnable action);
}

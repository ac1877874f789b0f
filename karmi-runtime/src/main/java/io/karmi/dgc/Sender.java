package io.karmi.dgc;

import io.karmi.id.NodeId;
import org.jspecify.annotations.Nullable;

/** Where a message of a collector has come from. */
public interface Sender {
  /** The node that says that it has sent it. */
  NodeId node();

  /**
   * Who has sent it, as far as that is proven: equal for two messages only if they come from the
   * same node. What a node holds, no other node can let go.
   */
  default Object identity() {
    return node();
  }

  /**
   * What the nodes of one host have in common, to be compared by {@code equals}; null if unknown.
   */
  default @Nullable Object host() {
    return null;
  }

  /**
   * Runs something once the line over which the message came is closed, or its sender's process has
   * ended.
   */
  void whenGone(Runnable action);
}

package io.karmi.dgc;

import io.karmi.id.NodeId;
import org.jspecify.annotations.Nullable;

/** The sender of a collector's message. */
public interface Sender {
  /** The node that the sender claims to be. */
  NodeId node();

  /**
   * The proven identity of the sender: equal for two messages only if they come from the same node.
   * No other node can release what a node holds.
   */
  default Object identity() {
    return node();
  }

  /** The sender's host, compared by {@code equals}; null if unknown. */
  default @Nullable Object host() {
    return null;
  }

  /**
   * Runs something once the line over which the message came is closed, or its sender's process has
   * ended. Until then its connection keeps its place.
   *
   * @throws IllegalArgumentException if the host has too many such lines
   */
  void whenGone(Runnable action);
}

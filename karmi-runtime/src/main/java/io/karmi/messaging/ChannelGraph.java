package io.karmi.messaging;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A message that has a graph of a channel. It has no methods of its own for serialization, so that
 * the graph is marshalled as fast as any message.
 */
final class ChannelGraph implements Serializable {
  /** Added to the bytes of each graph: what the window counts for the smallest one. */
  static final int OVERHEAD_BYTES = 64;

  private static final long serialVersionUID = 1;

  final long channel;
  final long number;

  /** The sender knows of failures up to this graph. */
  final long known;

  final boolean awaited;
  final @Nullable Object graph;

  /** Length of the message, at both ends; set where it is marshalled and unmarshalled. */
  transient int bytes;

  ChannelGraph(long channel, long number, long known, boolean awaited, @Nullable Object graph) {
    this.channel = channel;
    this.number = number;
    this.known = known;
    this.awaited = awaited;
    this.graph = graph;
  }

  /** Tells a message its length, if it has a graph of a channel. */
  static void measure(@Nullable Object message, int bytes) {
    if (message instanceof ChannelGraph graph) {
      graph.bytes = bytes;
    }
  }
}

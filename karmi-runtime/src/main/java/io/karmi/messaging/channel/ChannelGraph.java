package io.karmi.messaging.channel;

import io.karmi.guard.AllocatedBytes;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * A message that has a graph of a channel. It has no methods of its own for serialization, so that
 * the graph is marshalled as fast as any message.
 */
public final class ChannelGraph implements Serializable {
  /** Added to the bytes of each graph: what the window counts for the smallest one. */
  public static final int OVERHEAD_BYTES = 64;

  private static final long serialVersionUID = 1;

  public final long channel;
  public final long number;

  /** The sender knows of failures up to this graph. */
  public final long known;

  public final boolean awaited;
  public final @Nullable Object graph;

  /** Length of the message, at both ends; set where it is marshalled and unmarshalled. */
  private transient int bytes;

  /** What unmarshalling it has allocated, in bytes; at the receiving end. */
  private transient long memoryBytes;

  public ChannelGraph(
      long channel, long number, long known, boolean awaited, @Nullable Object graph) {
    this.channel = channel;
    this.number = number;
    this.known = known;
    this.awaited = awaited;
    this.graph = graph;
  }

  /** Length of the message; 0 if it has come elsewhere than in the ordered lane. */
  public int bytes() {
    return bytes;
  }

  /** Bytes that were allocated to make the graph. */
  public long memoryBytes() {
    return memoryBytes;
  }

  /** Tells a message that is sent its length, if it has a graph of a channel. */
  public static void measure(@Nullable Object message, int bytes) {
    if (message instanceof ChannelGraph graph) {
      graph.bytes = bytes;
    }
  }

  /**
   * Tells a message that has come its length and its memory, if it has a graph of a channel.
   *
   * @param allocatedBefore bytes that the current thread had allocated before
   */
  public static void measure(@Nullable Object message, int bytes, long allocatedBefore) {
    if (message instanceof ChannelGraph graph) {
      graph.bytes = bytes;
      graph.memoryBytes = AllocatedBytes.since(allocatedBefore, bytes);
    }
  }
}

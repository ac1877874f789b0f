package io.karmi.dgc;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import java.util.List;

/**
 * One strategy of distributed garbage collection, in one node: both the holder's half and the
 * owner's half.
 *
 * <p>Thread-safe.
 */
public interface Collector extends AutoCloseable {
  /** Name of the strategy, such as {@code lease}. */
  String name();

  /**
   * References have arrived in this node. When this returns, their owners know, or could not be
   * reached; so the sender, who kept them alive until here, may forget them.
   *
   * @param references remote objects that somebody here can call from now on; an object of this
   *     very node is held like any other
   * @return for each of them a token: as long as a token is reachable, so is its object at the
   *     owner
   */
  List<Object> arrived(List<ObjectId> references);

  /**
   * A message from the same strategy in another node.
   *
   * @return the answer
   * @throws IllegalArgumentException if the message makes no sense
   */
  long receive(NodeId from, long[] message);

  /** How many of this node's objects are held by some node, for inspection. */
  int heldObjects();

  /** Gives back all references and ends the collector's threads. */
  @Override
  void close();
}

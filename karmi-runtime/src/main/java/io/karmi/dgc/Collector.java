package io.karmi.dgc;

import io.karmi.id.ObjectId;
import java.util.List;

/**
 * Distributed garbage collector of a node, by one strategy: for the objects that it holds, and for
 * those that it owns.
 *
 * <p>A node runs all strategies that it knows, so that it understands every holder. The one that it
 * uses for what it holds itself is chosen per technology. Thread-safe.
 */
public interface Collector extends AutoCloseable {
  /** Credit of a reference whose owner has not been told of its receiver. */
  long NO_CREDIT = 0;

  /** Name of the strategy, such as {@code lease}. */
  String name();

  /**
   * A reference to an object of this node is about to leave in a message.
   *
   * @param receiver the proven identity of the receiver: equal to the {@link Sender#identity} of a
   *     message only if that node has sent the message
   * @return what {@link #arrived} gets with it at the receiver; {@link #NO_CREDIT} if the receiver
   *     has to report the reference itself
   */
  long leaving(long number, Object receiver);

  /** A reference that left with a credit has not reached its receiver, and never will. */
  void notArrived(long number, long credit);

  /**
   * References have arrived in this node. When this returns, their owners know, or could not be
   * reached; so the sender, who kept them alive until here, may forget them.
   *
   * @param references remote objects that this node can call from now on; an object of this very
   *     node is held like any other
   * @param credits for each of them the result of {@link #leaving} at its owner
   * @return for each of them a token: as long as a token is reachable, so is its object at the
   *     owner
   */
  List<Object> arrived(List<ObjectId> references, long[] credits);

  /**
   * A message from the same strategy in another node.
   *
   * @return the answer
   * @throws IllegalArgumentException if the message makes no sense
   */
  long receive(Sender from, long[] message);

  /** The number of this node's objects that some node holds, for inspection. */
  int heldObjects();

  /** Gives back all references and ends the collector's threads. */
  @Override
  void close();
}

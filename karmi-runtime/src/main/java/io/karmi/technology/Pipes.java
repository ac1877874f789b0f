package io.karmi.technology;

import io.karmi.id.NodeId;
import io.karmi.id.TechnologyId;
import java.rmi.RemoteException;

/**
 * Interface of technologies that carry messages, in addition to calls.
 *
 * <p>A {@link Technology} may implement it. Thread-safe.
 */
public interface Pipes {
  /**
   * Opens a pipe to a node.
   *
   * @param node the node that must answer, or {@link NodeId#UNKNOWN} for any
   * @param way its UTID in this technology
   * @param key the number of an object that the other node exports, which shows that this one was
   *     given a reference; 0 for none
   * @throws RemoteException if the node cannot be reached, or takes no messages
   */
  Pipe open(NodeId node, TechnologyId way, long key) throws RemoteException;
}

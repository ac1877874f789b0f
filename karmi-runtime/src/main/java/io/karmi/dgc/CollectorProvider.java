package io.karmi.dgc;

import io.karmi.id.NodeId;

/**
 * Provider of the collectors of one strategy. Further ones are found by {@link
 * java.util.ServiceLoader}.
 */
public interface CollectorProvider {
  /** Name of the strategy, such as {@code lease}. */
  String name();

  /**
   * Makes the collector of a node.
   *
   * @param node the node it works for
   * @param messenger leads to the same strategy in other nodes
   * @param objects what the node exports
   * @param background the threads that it works with
   */
  Collector open(NodeId node, Messenger messenger, ExportedObjects objects, Background background);
}

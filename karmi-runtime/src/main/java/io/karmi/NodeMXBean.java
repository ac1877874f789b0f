package io.karmi;

import java.util.List;
import java.util.Map;

/**
 * The JMX bean {@code io.karmi:type=Node}: id, counters, exported objects and services of a node.
 */
public interface NodeMXBean {
  /** The node's id. */
  String getId();

  /** Counters of the node and its technologies, by name (docs/monitoring.md). */
  Map<String, Long> getCounters();

  /** One line for each exported object. */
  String[] getObjects();

  /**
   * The settings in force and where each value came from: {@code name = value (origin)}, by name.
   */
  String[] getSettings();

  /** State of the runtime's own threads: those that run, and those that cannot be started. */
  List<NodeService> getServices();
}

package io.karmi;

import io.karmi.technology.ServiceState;
import java.util.List;
import java.util.Map;

/**
 * The JMX bean {@code io.karmi:type=Node}: id, counters, exported objects and services of a node.
 */
public interface NodeMXBean {
  /** The node's id. */
  String getId();

  /** Counters of the node and its technologies, by name (docs/operations.md). */
  Map<String, Long> getCounters();

  /** One line for each exported object. */
  String[] getObjects();

  /** State of the runtime's own threads: those that run, and those that cannot be started. */
  List<ServiceState> getServices();
}

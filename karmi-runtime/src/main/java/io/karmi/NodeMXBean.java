package io.karmi;

import io.karmi.technology.ServiceState;
import java.util.List;
import java.util.Map;

/** What JMX shows of a node, as {@code io.karmi:type=Node}. */
public interface NodeMXBean {
  /** The node's id. */
  String getId();

  /** What the node and its technologies have counted, by name (docs/operations.md). */
  Map<String, Long> getCounters();

  /** One line for each exported object. */
  String[] getObjects();

  /** How the runtime's own threads are: those that run, and those that cannot be started. */
  List<ServiceState> getServices();
}

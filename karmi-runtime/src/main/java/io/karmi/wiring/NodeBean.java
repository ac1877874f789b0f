package io.karmi.wiring;

import io.karmi.NodeMXBean;
import io.karmi.NodeService;
import io.karmi.reference.Node;
import io.karmi.technology.ServiceState;
import io.karmi.technology.ServiceThread;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;

/** A node as JMX sees it. Thread-safe. */
final class NodeBean implements NodeMXBean {
  private static final String NAME = "io.karmi:type=Node";
  private static final System.Logger LOG = System.getLogger(NodeBean.class.getName());

  private final Node node;

  private NodeBean(Node node) {
    this.node = node;
  }

  /** Registers the bean of a node, starting JMX if need be. */
  static void register(Node node) {
    register(node, ManagementFactory.getPlatformMBeanServer());
  }

  /** Registers it if JMX has been started; false if it has not. */
  static boolean registerWhereJmxIsUsed(Node node) {
    List<MBeanServer> servers = MBeanServerFactory.findMBeanServer(null);
    if (servers.isEmpty()) {
      return false;
    }
    register(node, servers.get(0));
    return true;
  }

  private static void register(Node node, MBeanServer server) {
    try {
      server.registerMBean(new NodeBean(node), new ObjectName(NAME));
    } catch (JMException | RuntimeException e) {
      LOG.log(Level.INFO, "no bean " + NAME, e);
    }
  }

  @Override
  public String getId() {
    return node.id().toString();
  }

  @Override
  public Map<String, Long> getCounters() {
    return node.counters();
  }

  @Override
  public String[] getObjects() {
    return node.describeObjects();
  }

  @Override
  public String[] getSettings() {
    return node.settings().lines();
  }

  @Override
  public List<NodeService> getServices() {
    return ServiceThread.states().stream().map(NodeBean::ofBean).toList();
  }

  private static NodeService ofBean(ServiceState state) {
    return new NodeService(
        state.name(),
        state.isAlive(),
        state.rounds(),
        state.failures(),
        state.lastFailure(),
        state.workingMillis());
  }
}

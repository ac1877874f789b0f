package io.karmi.wiring;

import io.karmi.reference.Node;
import io.karmi.reference.NodeFactory;
import io.karmi.settings.Settings;
import io.karmi.settings.SettingsCheck;

/** Wires the node of this JVM from its {@link NodeConfig}. The reference layer finds it by name. */
public final class Wiring implements NodeFactory {
  /** For the reference layer. */
  public Wiring() {}

  @Override
  public Node open() {
    String refusal = SettingsCheck.ofNode().warn().refusal();
    refusal = refusal == null ? JvmFilter.refusal() : refusal;
    Node node = refusal == null ? NodeConfig.fromProperties().open() : NodeConfig.refused(refusal);
    long timeoutMillis = Settings.CALL_TIMEOUT.get();
    if (timeoutMillis > 0) {
      node.limitCalls(timeoutMillis);
    }
    drainOnExit(node);
    Management.offer(node);
    GarbageInterval.keep();
    return node;
  }

  private static void drainOnExit(Node node) {
    long millis = Settings.DRAIN_ON_EXIT.get();
    if (millis > 0) {
      Thread drain = new Thread(() -> drain(node, millis), "KaRMI Shutdown");
      try {
        Runtime.getRuntime().addShutdownHook(drain);
      } catch (IllegalStateException e) {
        // it exits already: what begins now is not waited for
      }
    }
  }

  private static void drain(Node node, long millis) {
    try {
      node.shutDown(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the JVM ends all the same
    }
  }
}

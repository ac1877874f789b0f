package io.karmi.wiring;

import io.karmi.reference.Node;
import io.karmi.reference.Privileged;
import io.karmi.settings.Settings;
import io.karmi.technology.ServiceThread;

/**
 * Parts that can be turned on while the program runs: the node's bean in JMX, and the logs of
 * calls.
 *
 * <p>JMX takes a while to start, and most programs never ask for it. So the bean is registered soon
 * after other code has made an MBean server (a console that attaches does), and with {@code
 * -Dkarmi.jmx=true} at once; {@code false} means never. In an image without {@code java.management}
 * there is no bean; this class mentions none of its types, {@link NodeBean} does.
 *
 * <p>Calls are logged from the first one on if the level of their loggers is set by then, and
 * otherwise soon after it is.
 */
final class Management {
  private static final long ROUND_MILLIS = 2000;

  private final Node node;
  private boolean awaitsJmx;
  private boolean awaitsLogs;

  private Management(Node node) {
    this.node = node;
  }

  static void offer(Node node) {
    Management management = new Management(node);
    boolean wanted = Settings.JMX.isOn();
    boolean possible = ModuleLayer.boot().findModule("java.management").isPresent();
    if (wanted && possible) {
      NodeBean.register(node);
    }
    management.awaitsJmx = possible && !wanted && !Settings.JMX.is("false");
    management.awaitsLogs = !node.logCallsIfWanted();
    if (management.awaitsJmx || management.awaitsLogs) {
      new ServiceThread(
              "KaRMI Management",
              true,
              () -> Thread.sleep(ROUND_MILLIS),
              () -> Privileged.<Boolean>get(management::look))
          .ensureRunning();
    }
  }

  private boolean look() {
    awaitsJmx = awaitsJmx && !NodeBean.registerWhereJmxIsUsed(node);
    awaitsLogs = awaitsLogs && !node.logCallsIfWanted();
    return awaitsJmx || awaitsLogs;
  }
}

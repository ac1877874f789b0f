package io.karmi;

import io.karmi.reference.Node;
import io.karmi.technology.RuntimeThreads;

/**
 * Offers the node's bean to JMX.
 *
 * <p>JMX takes a while to start, and most programs never ask for it. So the bean is registered soon
 * after somebody else has made an MBean server (a console that attaches does), and with {@code
 * -Dkarmi.jmx=true} at once; {@code false} means never. In an image without {@code java.management}
 * there is no bean; this class mentions none of its types, {@link NodeBean} does.
 */
final class Management {
  private static final long ROUND_MILLIS = 2000;

  private Management() {}

  static void offer(Node node) {
    String wanted = System.getProperty("karmi.jmx", "auto");
    if (wanted.equals("false") || ModuleLayer.boot().findModule("java.management").isEmpty()) {
      return;
    }
    if (wanted.equals("true")) {
      NodeBean.register(node);
    } else {
      RuntimeThreads.start("KaRMI Management", () -> await(node), true);
    }
  }

  private static void await(Node node) {
    try {
      do {
        Thread.sleep(ROUND_MILLIS);
      } while (!NodeBean.registerWhereJmxIsUsed(node));
    } catch (InterruptedException e) {
      // somebody wants the thread to end
    }
  }
}

package io.karmi;

import io.karmi.interceptor.CallInterceptor;
import io.karmi.reference.Node;
import io.karmi.reference.NodeFactory;

/** Wires the node of this JVM from its {@link NodeConfig}; the reference layer finds it by name. */
public final class Karmi implements NodeFactory {
  /** For the reference layer. */
  public Karmi() {}

  /** Puts an interceptor around the calls of this JVM's node, behind those that are there. */
  public static void add(CallInterceptor interceptor) {
    Node.current().add(interceptor);
  }

  @Override
  public Node open() {
    Node node = NodeConfig.fromProperties().open();
    Management.offer(node);
    return node;
  }
}

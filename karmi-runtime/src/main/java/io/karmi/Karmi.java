package io.karmi;

import io.karmi.reference.Node;
import io.karmi.reference.NodeFactory;

/** Wires the node of this JVM from its {@link NodeConfig}; the reference layer finds it by name. */
public final class Karmi implements NodeFactory {
  /** For the reference layer. */
  public Karmi() {}

  @Override
  public Node open() {
    return NodeConfig.fromProperties().open();
  }
}

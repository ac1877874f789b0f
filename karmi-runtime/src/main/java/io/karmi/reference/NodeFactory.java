package io.karmi.reference;

/**
 * Wires the node of this JVM when it is first needed.
 *
 * <p>The runtime's root implements it in {@code io.karmi.Karmi}, which is looked up by name, since
 * nothing below imports the root.
 */
public interface NodeFactory extends HomeNode.Factory {
  @Override
  Node open();
}

package io.karmi.messaging.link;

/**
 * The node of this JVM, as messaging sees it: found by name, as the class lies in a layer above.
 */
public final class HostOfNode {
  /** The class of the runtime's root that implements {@link MessagingHost}. */
  private static final String NAME = "io.karmi.wiring.NodeMessagingHost";

  private static final MessagingHost HOST = open();

  private HostOfNode() {}

  /** The node; whether it has started is to be asked there. */
  public static MessagingHost get() {
    return HOST;
  }

  private static MessagingHost open() {
    try {
      Class<?> wiring = Class.forName(NAME, true, HostOfNode.class.getClassLoader());
      return (MessagingHost) wiring.getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot wire messaging: " + NAME + " is not usable", e);
    }
  }
}

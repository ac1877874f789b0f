package io.karmi.registry;

import java.rmi.Remote;
import java.rmi.server.RemoteRef;
import org.jspecify.annotations.Nullable;

/** The JDK's own stub of a registry, as programs without KaRMI read it. */
final class JdkRegistry {
  private static final System.Logger LOG = System.getLogger(JdkRegistry.class.getName());

  private static final String STUB = "sun.rmi.registry.RegistryImpl_Stub";

  private JdkRegistry() {}

  /** A stub with a reference; null if the JDK does not let KaRMI make one. */
  static @Nullable Remote stub(RemoteRef reference) {
    try {
      return (Remote) Class.forName(STUB).getConstructor(RemoteRef.class).newInstance(reference);
    } catch (ReflectiveOperationException e) {
      LOG.log(
          System.Logger.Level.DEBUG, "a registry is written in a form that only KaRMI reads", e);
      return null;
    }
  }
}

package io.karmi.uka.platform;

import java.io.ObjectStreamException;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * Stubs of remote objects as any JVM reads them: dynamic proxies, and the registry's. The RMI
 * runtime, which UKA does not know, has its own stubs read in their place. Thread-safe.
 */
public final class JdkStubs {
  /** The runtime, as far as it reads stubs. */
  public interface Resolver {
    /** What is read in place of a proxy or a registry's stub; itself as a rule. */
    Object resolve(Object read) throws ObjectStreamException;
  }

  private static final String REGISTRY = "sun.rmi.registry.RegistryImpl_Stub";

  /** Null as long as the runtime has read no stub. */
  private static volatile @Nullable Resolver resolver;

  private JdkStubs() {}

  /**
   * Has all streams of this JVM ask for what is read in place of each proxy and registry's stub.
   */
  public static void resolveBy(Resolver runtime) {
    resolver = runtime;
  }

  /** Whether objects of a class may be such stubs. */
  public static boolean mayBe(Class<?> type) {
    return Proxy.isProxyClass(type) || type.getName().equals(REGISTRY);
  }

  /** What is read in place of an object of such a class; itself as a rule. */
  public static Object resolution(Object read) throws ObjectStreamException {
    Resolver runtime = resolver;
    return runtime == null ? read : runtime.resolve(read);
  }
}

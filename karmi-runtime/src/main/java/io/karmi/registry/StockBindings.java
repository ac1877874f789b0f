package io.karmi.registry;

import java.rmi.Remote;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteCall;
import java.rmi.server.Skeleton;
import java.util.Objects;

/**
 * Calls of a registry that come over stock RMI. The JDK's skeleton reads each, and gives what it
 * binds to the JDK's registry; that is sent on its way through {@link CountedBindings}.
 * Thread-safe.
 */
@SuppressWarnings("deprecation") // the JDK's registry has a skeleton
public final class StockBindings {
  /** The registry that counts, while the skeleton works. */
  private static final ThreadLocal<Registry> COUNTING = new ThreadLocal<>();

  private StockBindings() {}

  /** Whether the bindings of a call are yet to be counted. */
  public static boolean takesDispatch(Remote registry) {
    return COUNTING.get() == null && RegistrySkeleton.bindingsOf(registry) != null;
  }

  /** Executes a call whose bindings count. */
  public static void dispatch(
      Skeleton skeleton, Remote registry, RemoteCall call, int operation, long hash)
      throws Exception {
    CountedBindings bindings = Objects.requireNonNull(RegistrySkeleton.bindingsOf(registry));
    COUNTING.set(bindings.during((Registry) registry));
    try {
      skeleton.dispatch(registry, call, operation, hash);
    } finally {
      COUNTING.remove();
    }
  }

  /** Whether this thread's call binds, and has not been counted. */
  public static boolean areToCount() {
    return COUNTING.get() != null;
  }

  /** The registry that counts; what this thread calls from now on goes to the JDK's. */
  public static Registry counting() {
    Registry counting = COUNTING.get();
    COUNTING.remove();
    return counting;
  }
}

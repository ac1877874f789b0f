package io.karmi.messaging.link;

import io.karmi.technology.ServiceThread;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The thread that looks each millisecond at the handlers of this JVM's nodes, while messages come.
 * Where one is at work it wakes the node's thread that stands by. Thread-safe.
 */
public final class LookWatch {
  private static final LookWatch OF_THIS_JVM = new LookWatch();

  /** The handlers of a node. */
  public interface Watched {
    /**
     * Wakes the thread that stands by if it has something to do. {@linkplain LookWatch#end Ends}
     * the looks if they are out of use.
     */
    void look();
  }

  private final Set<Watched> watched = ConcurrentHashMap.newKeySet();
  private final ServiceThread thread =
      new ServiceThread("KaRMI Messages Watch", true, () -> Thread.sleep(1), this::round);

  private LookWatch() {}

  /** Looks at these from now on. */
  public static void begin(Watched used) {
    OF_THIS_JVM.watched.add(used);
    OF_THIS_JVM.thread.ensureRunning();
  }

  /** Looks at these no more. Needs no memory. */
  public static void end(Watched unused) {
    OF_THIS_JVM.watched.remove(unused);
  }

  private boolean round() {
    watched.forEach(Watched::look);
    return !watched.isEmpty();
  }
}

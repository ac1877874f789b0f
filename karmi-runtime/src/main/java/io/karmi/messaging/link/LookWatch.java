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
    /** Wakes the thread that stands by if it has something to do; false if they are out of use. */
    boolean look();
  }

  private final Set<Watched> watched = ConcurrentHashMap.newKeySet();
  private final ServiceThread thread =
      new ServiceThread("KaRMI Messages Watch", true, () -> Thread.sleep(1), this::round);

  private LookWatch() {}

  /** Looks at these until they say that they are out of use. */
  public static void begin(Watched used) {
    OF_THIS_JVM.watched.add(used);
    OF_THIS_JVM.thread.ensureRunning();
  }

  private boolean round() {
    for (Watched each : watched.toArray(new Watched[0])) {
      watched.remove(each); // first: they begin anew as soon as they have been looked at
      if (each.look()) {
        watched.add(each);
      }
    }
    return !watched.isEmpty();
  }
}

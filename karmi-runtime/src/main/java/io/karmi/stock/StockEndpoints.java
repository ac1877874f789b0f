package io.karmi.stock;

import io.karmi.reference.Privileged;
import java.io.DataInput;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Bound of the endpoints that references of stock RMI in calls and messages of peers lead to. The
 * JDK's collector starts a thread for each endpoint as it reads a reference, and keeps it until the
 * references are gone and their owner knows, or was asked in vain for minutes.
 *
 * <p>Thread-safe.
 */
public final class StockEndpoints {
  private static final long HEAP_BYTES_EACH = 256 * 1024;
  private static final long MINIMUM = 300;
  private static final long MAXIMUM = 5_000;

  /** How many endpoints there may be when one more arrives. */
  static final int MOST =
      (int)
          Math.max(MINIMUM, Math.min(MAXIMUM, Runtime.getRuntime().maxMemory() / HEAP_BYTES_EACH));

  /** In the names of the collector's threads; the endpoint follows. */
  private static final String THREAD = "RenewClean-[";

  /** Behind the port of an endpoint that has sockets of its own. */
  static final String OWN_SOCKETS = ", sockets of its own";

  /** The streams whose references the collector gets when all have been read. */
  private static final String CALL_OF_STOCK = "sun.rmi.transport.ConnectionInputStream";

  /** The threads that there were when they were last counted, and what has arrived since. */
  private static final Set<String> KNOWN = new HashSet<>();

  /** What the calls of stock RMI have brought that are being read, or were just now. */
  private static final Map<DataInput, Set<String>> UNREGISTERED = new WeakHashMap<>();

  private StockEndpoints() {}

  /** What reads the endpoint of a reference, and refuses it if there are too many. */
  public static DataInput check(DataInput in) {
    return new EndpointInput(in);
  }

  /** The same for an endpoint that may have sockets of its own. */
  public static ObjectInput check(ObjectInput in) {
    return new EndpointInput.WithObjects(in);
  }

  /**
   * Admits an endpoint.
   *
   * @param in the stream of its reference
   * @param name its host and port, and whether it has sockets of its own
   * @throws InvalidObjectException if there are too many
   */
  static synchronized void admit(DataInput in, String name) throws InvalidObjectException {
    if (KNOWN.size() >= MOST && !KNOWN.contains(name)) {
      KNOWN.clear();
      Privileged.get(StockEndpoints::addThreads);
      UNREGISTERED.values().forEach(KNOWN::addAll);
    }
    if (KNOWN.size() >= MOST && !KNOWN.contains(name)) {
      UNREGISTERED.remove(in); // the call is not executed
      throw new InvalidObjectException(
          "a reference of stock RMI to "
              + name
              + ": there are references to "
              + MOST
              + " endpoints already, each with a thread; there may be one for each 256 KB of the"
              + " heap");
    }
    KNOWN.add(name);
    if (in.getClass().getName().equals(CALL_OF_STOCK)) {
      UNREGISTERED.computeIfAbsent(in, any -> new HashSet<>()).add(name);
    }
  }

  private static boolean addThreads() {
    ThreadGroup root = Thread.currentThread().getThreadGroup();
    while (root.getParent() != null) {
      root = root.getParent();
    }
    Thread[] threads = new Thread[2 * root.activeCount() + 16];
    int count = root.enumerate(threads);
    for (int i = 0; i < count; i++) {
      String name = threads[i].getName();
      int endpoint = name.indexOf(THREAD) + THREAD.length();
      if (endpoint >= THREAD.length()) {
        KNOWN.add(name.substring(endpoint, name.length() - 1).replaceFirst(",.*", OWN_SOCKETS));
      }
    }
    return true;
  }
}

package io.karmi.bridge;

import io.karmi.id.RemoteInterface;
import io.karmi.reference.ClientRef;
import io.karmi.reference.ForwardingSkeleton;
import io.karmi.reference.Node;
import io.karmi.reference.ServerRef;
import io.karmi.reference.Skeleton;
import io.karmi.reference.network.Bridging;
import io.karmi.settings.Settings;
import io.karmi.stub.StubType;
import io.karmi.stub.StubTypes;
import io.karmi.technology.ServiceThread;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.rmi.Remote;
import java.rmi.server.RemoteRef;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The forwarding objects of a node, one for each reference that it has handed on and another node
 * still holds. Thread-safe.
 *
 * <p>They are told apart by the reference, not by the object: a reference that names the same
 * object at another place, as a forged one may, is forwarded to that place alone.
 */
public final class Bridge implements Bridging {
  private static final System.Logger LOG = System.getLogger("io.karmi.bridge");
  private static final int MAXIMUM_BY_DEFAULT = 100_000;

  /** One takes less; so they take no more than a quarter of the heap. */
  private static final int BYTES_EACH = 8 * 1024;

  /** One in this many is kept for other hosts than the one with the most. */
  private static final int SHARE_OF_OTHERS = 8;

  /** Time between two counts of all forwarding objects, which take some milliseconds. */
  private static final long COUNT_PAUSE_NANOS = 100_000_000;

  /** Pause between two looks for forwarding objects that are garbage, in milliseconds. */
  private static final long LOOK_MILLIS = 20_000;

  /**
   * Pause after a collection, by the time that it has taken: peers that let go of references again
   * and again make this node collect garbage for a hundredth of its time at most.
   */
  private static final int PAUSE_FOR_COLLECTION = 100;

  /** Hosts of which counts are kept; beyond that all are counted. */
  private static final int MAXIMUM_HOSTS = 10_000;

  private final Node node;

  /** Bounds what peers can make this node keep by handing references to and fro. */
  private final int most = (int) Settings.MAX_BRIDGED_OBJECTS.get(Settings.SYSTEM, byDefault());

  /** How many of them were made for peers of one host. */
  private final int mostPerHost = Math.max(1, most - most / SHARE_OF_OTHERS);

  /** Compared by identity, as references are no values. Guarded by itself. */
  private final Map<ClientRef, Known> forwarders = new WeakHashMap<>();

  /** A forwarding object. */
  private static final class Known {
    final WeakReference<Remote> object;
    final ServerRef entry;
    final String host;

    /** Whether no node held it when it was looked at last. */
    boolean wasIdle;

    Known(Remote object, ServerRef entry, String host) {
      this.object = new WeakReference<>(object);
      this.entry = entry;
      this.host = host;
    }

    boolean isIdle() {
      return object.get() != null && !entry.isReferenced();
    }
  }

  /**
   * At least as many as there are of each host: those that end are subtracted when a host has come
   * to its limit. Guarded by {@link #forwarders}.
   */
  private final Map<String, Integer> hosts = new HashMap<>();

  private long countedAtNanos = System.nanoTime() - COUNT_PAUSE_NANOS;

  /** Until then no collection is asked for; of the thread that looks. */
  private long collectedUntilNanos = System.nanoTime();

  private boolean warned;
  private boolean warnedOfHost;

  /** Looks for forwarding objects that are garbage, as long as there are some. */
  private final ServiceThread collecting;

  /** A bridge that forwards nothing yet. */
  public Bridge(Node node) {
    this(node, LOOK_MILLIS);
  }

  /**
   * The same, with another pause.
   *
   * @param lookMillis between two looks for garbage
   */
  Bridge(Node node, long lookMillis) {
    this.node = node;
    this.collecting =
        new ServiceThread(
            "KaRMI Bridge", true, () -> Thread.sleep(lookMillis), this::collectGarbage);
    node.limitCalls(); // in how many nodes may forward them
  }

  /**
   * Asks for a garbage collection where a forwarding object had no holder in the last round and has
   * none now. As long as it lives it holds an object of another node, and a JVM that forwards calls
   * makes little garbage itself: its own collection might never come.
   *
   * @return false if there are no forwarding objects
   */
  private boolean collectGarbage() {
    boolean wanted = false;
    boolean any = false;
    synchronized (forwarders) {
      for (Known known : forwarders.values()) {
        boolean idle = known.isIdle();
        wanted |= idle && known.wasIdle;
        known.wasIdle = idle;
        any = true;
      }
    }
    long begin = System.nanoTime();
    if (wanted && begin - collectedUntilNanos >= 0) {
      System.gc();
      long end = System.nanoTime();
      collectedUntilNanos = end + PAUSE_FOR_COLLECTION * (end - begin);
    }
    return any;
  }

  private static int byDefault() {
    return (int) Math.min(MAXIMUM_BY_DEFAULT, Runtime.getRuntime().maxMemory() / 4 / BYTES_EACH);
  }

  @Override
  public @Nullable Forwarder forwarder(RemoteRef reference, String host) {
    ClientRef handedOn = (ClientRef) reference;
    synchronized (forwarders) {
      Known known = forwarders.get(handedOn);
      Remote object = known == null ? null : known.object.get();
      if (known != null && object != null && known.entry.isExported()) {
        return new Forwarder(object, known.entry.id());
      }
      if (forwarders.size() >= most) {
        warn();
        return null;
      }
      if (!hasRoomFor(host)) {
        warnOf(host);
        return null;
      }
      return export(handedOn, host);
    }
  }

  private boolean hasRoomFor(String host) {
    if (hosts.getOrDefault(host, 0) < mostPerHost && hosts.size() < MAXIMUM_HOSTS) {
      return true;
    }
    long now = System.nanoTime();
    if (now - countedAtNanos >= COUNT_PAUSE_NANOS) {
      countedAtNanos = now;
      hosts.clear();
      for (Known known : forwarders.values()) {
        if (known.object.get() != null) {
          hosts.merge(known.host, 1, Integer::sum);
        }
      }
    }
    return hosts.getOrDefault(host, 0) < mostPerHost;
  }

  private void warn() {
    if (!warned) {
      warned = true;
      LOG.log(
          System.Logger.Level.WARNING,
          "this bridge forwards for {0} references, as many as its heap allows; others leave without"
              + " a way through it",
          most);
    }
  }

  private void warnOf(String host) {
    if (!warnedOfHost) {
      warnedOfHost = true;
      LOG.log(
          System.Logger.Level.WARNING,
          "this bridge forwards for {0} references that {1} was given"
              + ", seven eighths of all; others leave for there without a way through it",
          mostPerHost,
          host);
    }
  }

  private @Nullable Forwarder export(ClientRef handedOn, String host) {
    Class<?>[] interfaces = interfaces(handedOn);
    if (interfaces.length == 0) {
      return null;
    }
    try {
      StubType type = StubTypes.ofArrived(interfaces);
      Remote stub = type.makeStub(handedOn);
      Skeleton skeleton = new ForwardingSkeleton(type.makeSkeleton(), handedOn);
      ServerRef entry = node.export(stub, skeleton, type, 0, null);
      entry.forwards();
      forwarders.put(handedOn, new Known(stub, entry, host));
      hosts.merge(host, 1, Integer::sum);
      collecting.ensureRunning();
      return new Forwarder(stub, entry.id());
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "calls of " + handedOn.id() + " are not forwarded", e);
      return null;
    }
  }

  /** Those of the stub around a reference; none if they are not known here. */
  private static Class<?>[] interfaces(ClientRef handedOn) {
    RemoteInterface methods = handedOn.remoteInterface();
    Class<?>[] interfaces = new Class<?>[methods.interfaceCount()];
    try {
      for (int i = 0; i < interfaces.length; i++) {
        interfaces[i] = Class.forName(methods.interfaceName(i), false, handedOn.loader());
      }
      return interfaces;
    } catch (ClassNotFoundException e) {
      LOG.log(System.Logger.Level.DEBUG, "no forwarding to " + methods, e);
      return new Class<?>[0];
    }
  }
}

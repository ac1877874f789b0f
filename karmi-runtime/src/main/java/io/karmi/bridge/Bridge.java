package io.karmi.bridge;

import io.karmi.guard.Ledger;
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
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.rmi.Remote;
import java.rmi.server.RemoteRef;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
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

  /**
   * Of a forwarding object, which takes less beside its name: so all take a quarter of the heap.
   */
  private static final int BYTES_OF_PLACE = 8 * 1024;

  /** Of the classes that are made for a list of interfaces. */
  private static final int BYTES_OF_METHOD = 1024;

  /** Pause between two looks for forwarding objects that are garbage, in milliseconds. */
  private static final long LOOK_MILLIS = 20_000;

  /**
   * Pause after a collection, by the time that it has taken: peers that let go of references again
   * and again make this node collect garbage for a hundredth of its time at most.
   */
  private static final int PAUSE_FOR_COLLECTION = 100;

  private final Node node;

  /**
   * Bounds what peers can make this node keep by handing references to and fro. A reference with a
   * long name takes several places: who sends it chooses the name.
   */
  private final Ledger places =
      new Ledger(
          "a quarter of the heap",
          Settings.MAX_BRIDGED_OBJECTS.get(Settings.SYSTEM, byDefault()),
          Ledger.Weakest.NONE);

  /** Compared by identity, as references are no values. Guarded by itself. */
  private final Map<ClientRef, Known> forwarders = new WeakHashMap<>();

  /** Those that have places. Guarded by {@link #forwarders}. */
  private final Set<Known> all = new HashSet<>();

  private final ReferenceQueue<Remote> collected = new ReferenceQueue<>();

  /** Those that peers have had this node make for lists of interfaces. Guarded by the same. */
  private final Map<StubType, Classes> classes = new HashMap<>();

  /** Classes of forwarding objects, and what they take of the places. */
  private static final class Classes {
    final StubType type;
    final String host;
    final long places;
    int users;

    Classes(StubType type, String host, long places) {
      this.type = type;
      this.host = host;
      this.places = places;
    }
  }

  /** A forwarding object, and what it takes of the places. */
  private static final class Known extends WeakReference<Remote> {
    final ServerRef entry;
    final String host;
    final long places;
    final Classes classes;

    /** Whether no node held it when it was looked at last. */
    boolean wasIdle;

    Known(
        Remote object,
        ReferenceQueue<Remote> collected,
        ServerRef entry,
        String host,
        long places,
        Classes classes) {
      super(object, collected);
      this.entry = entry;
      this.host = host;
      this.places = places;
      this.classes = classes;
    }

    boolean isIdle() {
      return get() != null && !entry.isReferenced();
    }
  }

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
    boolean any;
    synchronized (forwarders) {
      giveBackCollected();
      any = !all.isEmpty();
      for (Known known : all) {
        boolean idle = known.isIdle();
        wanted |= idle && known.wasIdle;
        known.wasIdle = idle;
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
    return (int)
        Math.min(MAXIMUM_BY_DEFAULT, Runtime.getRuntime().maxMemory() / 4 / BYTES_OF_PLACE);
  }

  @Override
  public @Nullable Forwarder forwarder(RemoteRef reference, String host) {
    ClientRef handedOn = (ClientRef) reference;
    synchronized (forwarders) {
      giveBackCollected();
      Known known = forwarders.get(handedOn);
      Remote object = known == null ? null : known.get();
      if (known != null && object != null && known.entry.isExported()) {
        return new Forwarder(object, known.entry.id());
      }
      return export(handedOn, host);
    }
  }

  private void giveBackCollected() {
    for (Reference<?> gone = collected.poll(); gone != null; gone = collected.poll()) {
      Known known = (Known) gone;
      all.remove(known);
      places.giveBack(known.host, known.places);
      Classes made = known.classes;
      if (--made.users == 0) {
        classes.remove(made.type);
        places.giveBack(made.host, made.places);
      }
    }
  }

  private @Nullable Forwarder export(ClientRef handedOn, String host) {
    Class<?>[] interfaces = interfaces(handedOn);
    if (interfaces.length == 0) {
      return null;
    }
    StubType type = StubTypes.ofArrived(interfaces);
    Classes known = classes.get(type);
    Classes used = known != null ? known : new Classes(type, host, placesOf(handedOn, interfaces));
    long own = 1 + handedOn.id().memoryBytes() / BYTES_OF_PLACE;
    long wanted = known != null ? own : own + used.places;
    if (!take(host, wanted)) {
      return null;
    }
    boolean made = false;
    try {
      Remote stub = type.makeStub(handedOn);
      Skeleton skeleton = new ForwardingSkeleton(type.makeSkeleton(), handedOn);
      ServerRef entry = node.export(stub, skeleton, type, 0, null);
      entry.forwards();
      Known one = new Known(stub, collected, entry, host, own, used);
      classes.put(type, used);
      all.add(one);
      used.users++;
      made = true;
      forwarders.put(handedOn, one);
      collecting.ensureRunning();
      return new Forwarder(stub, entry.id());
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "calls of " + handedOn.id() + " are not forwarded", e);
      return null;
    } finally {
      if (!made) {
        if (used.users == 0) {
          classes.remove(type);
        }
        places.giveBack(host, wanted);
      }
    }
  }

  /** Of the classes for several interfaces; those for one alone are there once for each. */
  private static long placesOf(ClientRef handedOn, Class<?>... interfaces) {
    int methods = interfaces.length == 1 ? 0 : handedOn.remoteInterface().methodCount();
    return (long) methods * BYTES_OF_METHOD / BYTES_OF_PLACE;
  }

  private boolean take(String host, long wanted) {
    Ledger.Outcome outcome = places.take(host, wanted);
    if (outcome == Ledger.Outcome.ALL_IS_FULL) {
      warn();
    } else if (outcome == Ledger.Outcome.HOST_IS_FULL) {
      warnOf(host);
    }
    return outcome == Ledger.Outcome.TAKEN;
  }

  private void warn() {
    if (!warned) {
      warned = true;
      LOG.log(
          System.Logger.Level.WARNING,
          "this bridge forwards for {0} references, as many as its heap allows; others leave without"
              + " a way through it",
          all.size());
    }
  }

  private void warnOf(String host) {
    if (!warnedOfHost) {
      warnedOfHost = true;
      LOG.log(
          System.Logger.Level.WARNING,
          "this bridge forwards for as many references that {0} was given as its heap allows for one"
              + " host; others leave for there without a way through it",
          host);
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

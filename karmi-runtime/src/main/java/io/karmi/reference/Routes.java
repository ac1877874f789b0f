package io.karmi.reference;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.reference.network.Technologies;
import io.karmi.technology.Alternatives;
import io.karmi.technology.ApplicationCalls;
import io.karmi.technology.NotConnectedException;
import io.karmi.technology.Technology;
import java.rmi.ConnectException;
import java.rmi.RemoteException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Routes of a node's calls: its technologies, and the short-cut to its own objects. Watching and
 * limiting of calls applies to all of them, also to those that are added later.
 *
 * <p>A call goes by the best technology that reaches its object. If that opens no connection the
 * next best one carries the call, and the first is not tried again for a moment. Some leave a
 * node's first calls to another one ({@link Technology#firstCallsBy}). Thread-safe.
 */
final class Routes implements Alternatives {
  private static final System.Logger LOG = System.getLogger("io.karmi.connection");

  /** Nanoseconds for which a technology opens no connection to a node after a failure. */
  private static final long AVOID_NANOS = 5_000_000_000L;

  /** Number of calls that a technology leaves to another one (decision 69). */
  private static final int FIRST_CALLS = 16;

  /** Upper bound of the detours that are known: peers name nodes. Then all are forgotten. */
  private static final int MAXIMUM_DETOURS = 1000;

  private final Map<Way, Detour> detours = new ConcurrentHashMap<>();

  /** A node where one technology reaches it. */
  private record Way(NodeId node, TechnologyId id) implements Comparable<Way> {
    /** Peers choose both values: the order keeps tables fast if all have the same hash code. */
    @Override
    public int compareTo(Way other) {
      int nodes = node.compareTo(other.node);
      return nodes != 0 ? nodes : id.address().compareTo(other.id.address());
    }

    /* Written by hand: the JDK generates a record's own at run time, which delays the start. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Way way && node.equals(way.node) && id.equals(way.id);
    }

    @Override
    public int hashCode() {
      return 31 * node.hashCode() + id.hashCode();
    }
  }

  /** Calls that do not go the best way. */
  private static final class Detour {
    /** Number of calls that were left to another technology. */
    final AtomicInteger left = new AtomicInteger();

    /** Whether opening a connection has failed a short time ago. */
    volatile boolean avoided;

    volatile long avoidedAtNanos;

    boolean isAvoided() {
      if (avoided && System.nanoTime() - avoidedAtNanos > AVOID_NANOS) {
        avoided = false;
      }
      return avoided;
    }

    boolean isFirst() {
      return left.get() < FIRST_CALLS && left.getAndIncrement() < FIRST_CALLS;
    }
  }

  private final NodeId node;
  private final Technologies technologies;
  private final ApplicationCalls local;
  private final NodeCallWatcher watching;

  /** Whether calls may have a deadline, or be forwarded. */
  private volatile boolean limited;

  /** Whether every call has a deadline, and so is watched. */
  private boolean alwaysWatched;

  /**
   * @param local the calls of its own objects
   */
  Routes(NodeId node, Technologies technologies, ApplicationCalls local, NodeCallWatcher watching) {
    this.node = node;
    this.technologies = technologies;
    this.local = local;
    this.watching = watching;
    local.watch(watching);
  }

  ApplicationCalls to(ObjectId target) throws ConnectException {
    return target.node().equals(node) ? local : technologies.require(target);
  }

  @Override
  public boolean exist(Technology technology, ObjectId target) {
    return technologies.nextBest(technology, target) != null;
  }

  @Override
  public boolean isToConnect(Technology technology, ObjectId target) {
    Technology next = technologies.nextBest(technology, target);
    TechnologyId id = target.technology(technology.name());
    if (next == null || id == null) {
      return true;
    }
    Way way = new Way(target.node(), id);
    Detour known = detours.get(way);
    if (known != null && known.isAvoided()) {
      return false;
    }
    return !next.name().equals(technology.firstCallsBy()) || !detour(way).isFirst();
  }

  @Override
  public Technology after(ApplicationCalls failed, ObjectId target, NotConnectedException why)
      throws RemoteException {
    Technology next = technologies.nextBest(failed, target);
    if (next == null) {
      throw Alternatives.reason(target, why);
    }
    RemoteException reason = why.reason();
    if (reason != null) {
      Detour detour = detour(new Way(target.node(), why.way()));
      detour.avoidedAtNanos = System.nanoTime();
      detour.avoided = true;
      LOG.log(
          System.Logger.Level.DEBUG,
          why.way().technology() + " does not reach node " + target.node(),
          reason);
    }
    return next;
  }

  /** Number of nodes that calls do not, or did not, go the best way to. */
  int detourCount() {
    return detours.size();
  }

  private Detour detour(Way way) {
    if (detours.size() >= MAXIMUM_DETOURS) {
      detours.clear();
    }
    return detours.computeIfAbsent(way, key -> new Detour());
  }

  synchronized void add(Technology technology) {
    technology.watch(watching);
    technology.replaceBy(this);
    if (watching.intercepts() || alwaysWatched) {
      technology.intercept();
    }
    if (limited) {
      technology.expectDeadlines();
    }
    technologies.add(technology);
  }

  /** Tells the watchers of all calls from now on. */
  synchronized void intercept() {
    local.intercept();
    technologies.forEach(Technology::intercept);
  }

  /** Enables deadlines and forwarding of calls; cheap once they are enabled. */
  void limitCalls() {
    if (!limited) {
      limitCallsOnce();
    }
  }

  private synchronized void limitCallsOnce() {
    local.expectDeadlines();
    technologies.forEach(Technology::expectDeadlines);
    limited = true;
  }

  /** Gives every call a deadline, in milliseconds, unless something else gives it a sooner one. */
  synchronized void limitCalls(long millis) {
    watching.limitCalls(millis);
    alwaysWatched = true;
    intercept();
    limitCalls();
  }
}

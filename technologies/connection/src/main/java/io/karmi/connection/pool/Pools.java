package io.karmi.connection.pool;

import io.karmi.connection.call.CallConnection;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Pools of a technology, and the choice of one for the calls of an object. Thread-safe. */
public final class Pools {
  private final PoolOwner owner;

  private final PoolTable<String> byAddress =
      new PoolTable<>(address -> new ConnectionPool(owner(), null));

  /** Pools of nodes at the addresses that their references name. */
  private final PoolTable<NodePlace> byNode =
      new PoolTable<>(place -> new ConnectionPool(owner(), place.node(), place.addresses()));

  /** A node at the addresses that one of its references names, separated by commas. */
  private record NodePlace(NodeId node, String addresses) implements Comparable<NodePlace> {
    @Override
    public int compareTo(NodePlace other) {
      return compare(node, addresses, other.node, other.addresses);
    }

    /* Written by hand: the JDK generates a record's own at run time, which delays the start. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof NodePlace place
          && node.equals(place.node)
          && addresses.equals(place.addresses);
    }

    @Override
    public int hashCode() {
      return 31 * node.hashCode() + addresses.hashCode();
    }
  }

  /** Pools of nodes that were found at an address, and have sent references from there. */
  private final PoolTable<FoundNode> ofFound =
      new PoolTable<>(found -> new ConnectionPool(owner(), found.node()));

  /** A node that answers at a dialled address, with the addresses that its reference names. */
  private record FoundNode(ConnectionPool by, NodeId node, String addresses)
      implements Comparable<FoundNode> {
    /** Without the pool, of which there are few. */
    @Override
    public int compareTo(FoundNode other) {
      return compare(node, addresses, other.node, other.addresses);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof FoundNode found
          && by.equals(found.by)
          && node.equals(found.node)
          && addresses.equals(found.addresses);
    }

    @Override
    public int hashCode() {
      return 31 * (31 * by.hashCode() + node.hashCode()) + addresses.hashCode();
    }
  }

  /** Peers choose both values: the order keeps tables fast if all have the same hash code. */
  private static int compare(NodeId node, String addresses, NodeId other, String otherAddresses) {
    int nodes = node.compareTo(other);
    return nodes != 0 ? nodes : addresses.compareTo(otherAddresses);
  }

  /** Pools with idle connections. */
  private final Set<ConnectionPool> warm = ConcurrentHashMap.newKeySet();

  /** Pools of a technology. */
  public Pools(PoolOwner owner) {
    this.owner = owner;
  }

  private PoolOwner owner() {
    return owner;
  }

  /**
   * The pool that calls by a way have taken before; null if it is to be {@linkplain #resolve
   * resolved}. On the path of each call, so it reads only what the way has kept.
   */
  public static @Nullable ConnectionPool known(@Nullable Object attachment, PoolOwner owner) {
    Object pool = attachment instanceof ArrivedWay ? ((ArrivedWay) attachment).pool : attachment;
    return pool instanceof ConnectionPool && ((ConnectionPool) pool).owner == owner
        ? (ConnectionPool) pool
        : null;
  }

  /** Finds the pool by which an object is called, and keeps it with the way. */
  public ConnectionPool resolve(ObjectId target, TechnologyId way) {
    ConnectionPool pool =
        target.isOfOneEnd() || target.node() == NodeId.UNKNOWN
            ? byAddress.get(way.address())
            : byNode.get(new NodePlace(target.node(), way.address()));
    pool.addAddresses(way.address());
    Object known = way.attachment();
    if (known instanceof ArrivedWay) {
      ((ArrivedWay) known).pool = pool;
    } else {
      way.attach(pool);
    }
    return pool;
  }

  /**
   * Called when a node that was found at a dialled address has sent a reference to its own object.
   */
  public void found(ConnectionPool home, CallConnection over, ObjectId object, TechnologyId way) {
    ConnectionPool pool = ofFound.get(new FoundNode(home, object.node(), way.address()));
    pool.addAddresses(way.address());
    pool.isFoundBy(home, over.dialled);
    way.attach(pool);
  }

  /** Called by a pool that has idle connections, which the watchdog has to check. */
  public void tend(ConnectionPool pool) {
    warm.add(pool);
  }

  /** One round of the watchdog. */
  public void tendAll(long now, long checkAfterNanos) {
    for (ConnectionPool pool : List.copyOf(warm)) { // a pool asks to be tended again while it is
      warm.remove(pool);
      pool.tend(now, checkAfterNanos);
    }
    byAddress.purge();
    byNode.purge();
    ofFound.purge();
  }
}

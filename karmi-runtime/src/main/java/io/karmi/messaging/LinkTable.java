package io.karmi.messaging;

import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The links of a node: one to each other node over which this one sends, and those that others have
 * opened besides.
 *
 * <p>Where two nodes open a link to each other at once there are two, and each end sends over one
 * of them. Thread-safe.
 */
final class LinkTable {
  private final ConcurrentMap<Address, Link> sending = new ConcurrentHashMap<>();
  private final ConcurrentMap<Address, Object> openings = new ConcurrentHashMap<>();
  private final Set<Link> all = ConcurrentHashMap.newKeySet();

  /** Opens a link. */
  interface Opener {
    /** Opens a link, which is not in the table yet. */
    Link open(Address to) throws RemoteException;
  }

  /** The link over which to send to a node; opened if there is none, which others wait for. */
  Link get(Address to, Opener opener) throws RemoteException {
    while (true) {
      Link known = known(to);
      if (known != null) {
        return known;
      }
      Object opening = openings.computeIfAbsent(to, address -> new Object());
      synchronized (opening) {
        known = known(to);
        if (known == null && openings.get(to) == opening) {
          try {
            add(to, opener.open(to));
            known = known(to); // the other node may have opened one before: then that one
          } finally {
            openings.remove(to, opening);
          }
        }
      }
      if (known != null) {
        return known;
      }
    }
  }

  private @Nullable Link known(Address to) {
    Link link = sending.get(to);
    return link != null && !link.isLeaving() && !link.isLost() ? link : null;
  }

  private void add(Address to, Link link) {
    addAccepted(link);
    if (!to.equals(link.address())) {
      sending.put(to, link); // an address without the name of the node
    }
  }

  /**
   * Adds a link that another node has opened, or this one; it is sent over if there is no other.
   */
  void addAccepted(Link link) {
    all.add(link);
    sending.compute(
        link.address(),
        (address, known) -> known == null || known.isLeaving() || known.isLost() ? link : known);
  }

  /** Sends nothing more over a link. */
  void forget(Link link) {
    sending.values().removeIf(each -> each == link);
  }

  /**
   * Takes a link out that has ended.
   *
   * @return true if there is no other one to its node
   */
  synchronized boolean remove(Link link) {
    forget(link);
    all.remove(link);
    return all.stream().noneMatch(each -> each.remote().equals(link.remote()) && !each.isLost());
  }

  /** All links, in no order. */
  Set<Link> all() {
    return all;
  }

  /** Those that are quiet and were not used for a time, and what is too many of the quiet ones. */
  List<Link> idle(long now, long idleNanos, int most) {
    List<Link> quiet = new ArrayList<>();
    for (Link link : all) {
      if (link.isQuiet() && !link.isLeaving()) {
        quiet.add(link);
      }
    }
    quiet.sort(Comparator.comparingLong(link -> link.usedAtNanos() - now));
    int surplus = all.size() - most;
    List<Link> idle = new ArrayList<>();
    for (Link link : quiet) {
      if (surplus-- > 0 || now - link.usedAtNanos() > idleNanos) {
        idle.add(link);
      }
    }
    return idle;
  }
}

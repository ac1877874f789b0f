package io.karmi.messaging;

import io.karmi.guard.Ledger;
import io.karmi.id.NodeId;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The links of a node: one to each {@linkplain Address#destination destination} that this one sends
 * to, and those that others have opened.
 *
 * <p>What is sent to an address never goes over a link that another node has opened, unless the
 * address is that of the sender of a message: who has opened it only says who he is. Thread-safe.
 */
final class LinkTable {
  private final ConcurrentMap<Object, Link> sending = new ConcurrentHashMap<>();
  private final ConcurrentMap<Object, Object> openings = new ConcurrentHashMap<>();
  private final Set<Link> all = ConcurrentHashMap.newKeySet();

  /** Places for links that others have opened. */
  private final Ledger places;

  /**
   * Without links.
   *
   * @param mostAccepted how many others may open; one host seven eighths of them
   */
  LinkTable(int mostAccepted) {
    places = new Ledger("karmi.messaging.maxAccepted", mostAccepted, Ledger.Weakest.NONE);
  }

  /** Opens a link. */
  interface Opener {
    /** Opens a link, which is not in the table yet; null if that is not to be done now. */
    @Nullable Link open(Address to) throws RemoteException;
  }

  /**
   * The link over which to send to a node; opened if there is none, which others wait for. Null if
   * the opener returns that.
   */
  @Nullable Link get(Address to, Opener opener) throws RemoteException {
    while (true) {
      Link known = known(to);
      if (known != null) {
        return known;
      }
      Object opening = openings.computeIfAbsent(to.destination(), destination -> new Object());
      synchronized (opening) {
        known = known(to);
        if (known == null && openings.get(to.destination()) == opening) {
          try {
            Link opened = opener.open(to);
            if (opened == null) {
              return null;
            }
            add(to, opened);
            known = known(to);
          } finally {
            openings.remove(to.destination(), opening);
          }
        }
      }
      if (known != null) {
        return known;
      }
    }
  }

  private @Nullable Link known(Address to) {
    Link link = sending.get(to.destination());
    return link != null && !link.isLeaving() && !link.isLost() ? link : null;
  }

  private void add(Address to, Link link) {
    addAccepted(link);
    sending.put(to.destination(), link); // it may lack the name of the node
  }

  /**
   * Adds a link that another node has opened, or this one; it is sent over if there is no other.
   */
  void addAccepted(Link link) {
    all.add(link);
    sending.compute(
        link.address().destination(),
        (destination, known) ->
            known == null || known.isLeaving() || known.isLost() ? link : known);
    if (link.isLost()) { // meanwhile
      remove(link);
    }
  }

  /** Sends nothing more over a link. */
  void forget(Link link) {
    sending.values().removeIf(each -> each == link);
  }

  /** The destinations to which a link leads, that of its other end included. */
  Set<Object> destinations(Link link) {
    Set<Object> destinations = new HashSet<>();
    destinations.add(link.address().destination());
    sending.forEach(
        (destination, each) -> {
          if (each == link) {
            destinations.add(destination);
          }
        });
    return destinations;
  }

  /**
   * Takes a link out that has ended.
   *
   * <p>Where this node has opened it, only another one that it has opened shows that the other node
   * is there; those that come in may be of anybody who gives its name.
   *
   * @return true if the node at its other end is lost with it, and was not before
   */
  synchronized boolean remove(Link link) {
    forget(link);
    all.remove(link);
    boolean lost = !link.isLossKnown();
    for (Link each : all) {
      boolean counts = link.isAccepted() || !each.isAccepted();
      if (counts && each.remote().equals(link.remote()) && !each.isLost()) {
        lost = false;
      }
    }
    return lost;
  }

  /** The loss of a node is told: links that it has opened, or who has its name, say it no more. */
  void lossKnown(NodeId node) {
    for (Link each : all) {
      if (each.isAccepted() && each.remote().equals(node)) {
        each.lossKnown();
      }
    }
  }

  /**
   * Keeps a place for a link that another node has opened; {@link #leave} must follow.
   *
   * @return false if there is none left
   */
  boolean enter(String host) {
    return places.take(host, 1) == Ledger.Outcome.TAKEN;
  }

  /** Gives a place back. */
  void leave(String host) {
    places.giveBack(host, 1);
  }

  /** All links, in no order. */
  Set<Link> all() {
    return all;
  }

  /** Those that are quiet, the one first that was not used for the longest time. */
  List<Link> quiet(long now) {
    List<Quiet> quiet = new ArrayList<>();
    for (Link link : all) {
      if (link.isQuiet() && !link.isLeaving()) {
        quiet.add(new Quiet(link, link.usedAtNanos() - now));
      }
    }
    quiet.sort(Comparator.comparingLong(Quiet::usedNanos));
    List<Link> links = new ArrayList<>();
    quiet.forEach(each -> links.add(each.link()));
    return links;
  }

  /** When a link had been used last when it was looked at; it may be used again meanwhile. */
  private record Quiet(Link link, long usedNanos) {}

  /** Those that are quiet and were not used for a time, and what is too many of the quiet ones. */
  List<Link> idle(long now, long idleNanos, int most) {
    int surplus = all.size() - most;
    List<Link> idle = new ArrayList<>();
    for (Link link : quiet(now)) {
      if (surplus-- > 0 || now - link.usedAtNanos() > idleNanos) {
        idle.add(link);
      }
    }
    return idle;
  }
}

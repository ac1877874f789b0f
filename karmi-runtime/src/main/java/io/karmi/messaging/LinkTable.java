package io.karmi.messaging;

import io.karmi.guard.Ledger;
import io.karmi.id.NodeId;
import io.karmi.messaging.frame.MessageFrame;
import io.karmi.settings.Settings;
import java.io.EOFException;
import java.rmi.RemoteException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The links of a node: one to each {@linkplain Address#destination destination} that this one sends
 * to, and those that others have opened.
 *
 * <p>What is sent to an address never goes over a link that another node has opened, unless the
 * address is that of the sender of a message: who has opened it only says who he is. Thread-safe.
 */
final class LinkTable {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final ConcurrentMap<Object, Link> sending = new ConcurrentHashMap<>();
  private final ConcurrentMap<Object, Opening> openings = new ConcurrentHashMap<>();

  /** All links, in no order. */
  final Set<Link> all = ConcurrentHashMap.newKeySet();

  /** Places for links that others have opened. */
  private final Ledger places;

  private volatile boolean closed;

  /**
   * @param mostAccepted how many others may open; one host seven eighths of them
   */
  LinkTable(int mostAccepted) {
    places = new Ledger(Settings.MAX_ACCEPTED_LINKS.name(), mostAccepted, Ledger.Weakest.NONE);
  }

  /** Links that are added from now on are ended; {@link #all} has those that were before. */
  void close() {
    closed = true;
  }

  boolean isClosed() {
    return closed;
  }

  interface Opener {
    /**
     * Opens a link, which is not in the table yet; null if there is no place for it.
     *
     * @param mayWait whether to wait for a place
     * @param sinceNanos since when the caller waits
     */
    @Nullable Link open(Address to, boolean mayWait, long sinceNanos) throws RemoteException;
  }

  /** Held by the thread that opens the link to a destination. */
  private static final class Opening extends ReentrantLock {
    private static final long serialVersionUID = 1;
    private static final long LOOK_MILLIS = 10;

    /** Whether that thread has found no place at once. */
    private volatile boolean waitsForPlace;

    @Nullable Link open(Address to, boolean mayWait, long sinceNanos, Opener opener)
        throws RemoteException {
      Link opened = opener.open(to, false, sinceNanos);
      if (opened == null && mayWait) {
        waitsForPlace = true;
        opened = opener.open(to, true, sinceNanos);
      }
      return opened;
    }

    /** Enters; false if another thread waits for a place, and this one may not. */
    boolean enter(boolean mayWait) {
      if (mayWait) {
        lock();
        return true;
      }
      boolean interrupted = false;
      try {
        while (true) {
          try {
            if (tryLock(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
              return true;
            }
            if (waitsForPlace) {
              return false;
            }
          } catch (InterruptedException e) {
            interrupted = true;
          }
        }
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  /**
   * The link over which to send to a node; opened if there is none, which others wait for. Null if
   * this thread may not wait and would have to, for a place or for what was sent before: the place
   * may become free by what this thread does next.
   *
   * @param ordered whether all that was sent over other links before is to be processed
   */
  @Nullable Link get(Address to, boolean ordered, boolean mayWait, Opener opener)
      throws RemoteException {
    Link link = known(to);
    if (link == null) {
      link = open(to, mayWait, opener);
    }
    return link == null || (ordered && !link.isNext(mayWait)) ? null : link;
  }

  private @Nullable Link open(Address to, boolean mayWait, Opener opener) throws RemoteException {
    long sinceNanos = System.nanoTime();
    Link link = null;
    while (link == null) {
      Opening opening = openings.computeIfAbsent(to.destination(), destination -> new Opening());
      if (!opening.enter(mayWait)) {
        return null;
      }
      try {
        if (known(to) == null && openings.get(to.destination()) == opening) {
          try {
            Link opened = opening.open(to, mayWait, sinceNanos, opener);
            if (opened == null) {
              return null;
            }
            add(opened, to.destination(), opened.address.destination());
          } finally {
            openings.remove(to.destination(), opening);
          }
        }
      } finally {
        opening.unlock();
      }
      link = known(to);
    }
    return link;
  }

  private @Nullable Link known(Address to) {
    Link link = sending.get(to.destination());
    return link == null || link.isOpen() ? link : instead(link);
  }

  /** Another link to the same node, which is to be sent over from now on; null if there is none. */
  private static @Nullable Link instead(Link link) {
    Link other = link.otherOpen();
    if (other != null) {
      other.follow(link);
    }
    return other;
  }

  private void put(Object destination, Link link) {
    sending.compute(
        destination,
        (same, known) -> {
          if (known != null && known.isOpen()) {
            return known;
          }
          if (known != null) {
            link.follow(known);
          }
          return link;
        });
  }

  /** Adds a link that another node has opened; it is sent over if there is no other. */
  void addAccepted(Link link) {
    add(link, link.address.destination());
  }

  /** Adds a link, over which to send to these destinations if there is no other. */
  private void add(Link link, Object... destinations) {
    all.add(link); // before it follows others
    for (Object each : destinations) {
      put(each, link);
    }
    if (closed) { // while it was opened; who ends all others may not have seen it
      link.drop(new EOFException("messaging of this node was closed"));
    }
    if (link.isLost()) { // meanwhile
      remove(link);
    }
  }

  /**
   * Sends nothing more over a link that is being closed or has ended. Where there is another one to
   * the same node, messages go over that. Else the next one is to know of those before it that have
   * not ended.
   */
  void forget(Link link) {
    Link open = instead(link);
    Link other = open == null && link.isLost() ? link.oneBefore() : open;
    if (other != null) {
      sending.replaceAll((destination, each) -> each == link ? other : each);
      if (other.isLost()) { // meanwhile
        forget(other);
      }
    } else if (link.isLost()) {
      sending.values().removeIf(each -> each == link);
    }
  }

  /** The destinations to which a link leads, that of its other end included. */
  Set<Object> destinations(Link link) {
    Set<Object> destinations = new HashSet<>();
    destinations.add(link.address.destination());
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
   * <p>Where it leads where a reference does, only another one that this node has opened shows that
   * the other node is there; those that come in may be of anybody who gives its name.
   *
   * @return true if the node at its other end is lost with it, and was not before
   */
  synchronized boolean remove(Link link) {
    forget(link);
    all.remove(link);
    boolean lost = !link.lossKnown;
    for (Link each : all) {
      each.followNoMore(link);
      boolean counts = !link.twin.isProven() || !each.accepted;
      if (counts && each.pipe.remote().equals(link.pipe.remote()) && !each.isLost()) {
        lost = false;
      }
    }
    return lost;
  }

  /** The loss of a node is told: links that it has opened, or who has its name, say it no more. */
  void lossKnown(NodeId node) {
    for (Link each : all) {
      if (each.accepted && each.pipe.remote().equals(node)) {
        each.lossKnown = true;
      }
    }
  }

  /**
   * Keeps a place for a link that another node has opened, if there is one; then {@link #leave}
   * must follow.
   */
  Ledger.Outcome enter(String host) {
    return places.take(host, 1);
  }

  /**
   * The link that others may have closed first, as they have no place: of those that a host has
   * opened, the one that nothing was done with for the longest time.
   *
   * @param host null for the one that has most links
   * @return null if there is none
   */
  @Nullable Link longestUnused(@Nullable String host, long now) {
    String from = host == null ? fullestHost() : host;
    Link found = null;
    long longest = 0;
    for (Link each : all) {
      if (each.accepted && OutLane.hostOf(each.pipe).equals(from)) {
        long unused = each.unusedNanos(now);
        if (unused > longest) {
          longest = unused;
          found = each;
        }
      }
    }
    return found;
  }

  private @Nullable String fullestHost() {
    Map<String, Integer> counts = new HashMap<>();
    String fullest = null;
    int most = 0;
    for (Link each : all) {
      if (each.accepted) {
        int count = counts.merge(OutLane.hostOf(each.pipe), 1, Integer::sum);
        if (count > most) {
          most = count;
          fullest = OutLane.hostOf(each.pipe);
        }
      }
    }
    return fullest;
  }

  /** Gives a place back. */
  void leave(String host) {
    places.giveBack(host, 1);
  }

  /** Knocks at a link that this node has opened, and at one of the same node that has come in. */
  void knock(Link link) {
    if (link.otherOpen() != null || !mayKnock(link) || link.twin.isAsking()) {
      return;
    }
    Link least = null; // others may only claim to be that node
    for (Link each : all) {
      if (each.accepted
          && each.pipe.remote().equals(link.pipe.remote())
          && mayKnock(each)
          && (least == null || each.twin.tried() < least.twin.tried())) {
        least = each;
      }
    }
    if (least != null) {
      long number = RANDOM.nextLong() | 1;
      least.twin.tryIt();
      link.twin.ask(number, least);
      least.output.sendNotice(MessageFrame.KNOCK, number, "");
      link.output.sendNotice(MessageFrame.KNOCK, number, "");
    }
  }

  private static boolean mayKnock(Link link) {
    return link.isOpen() && link.pipe.takesKnocks();
  }

  /** Answers a knock at a link that has come in, if it was one at a link of this node's, too. */
  void answerKnock(Link link) {
    long number = link.twin.unanswered();
    if (number == 0 || !link.accepted) {
      return;
    }
    for (Link each : all) {
      String way = each.twin.dialled();
      if (way != null
          && each.twin.isKnockedBy(number)
          && each.pipe.remote().equals(link.pipe.remote())
          && Objects.equals(each.pipe.credential(), link.pipe.credential())) {
        link.twin.answer(number, each);
        link.output.sendNotice(MessageFrame.JOINED, number, way);
      }
    }
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

package io.karmi.messaging;

import io.karmi.guard.Ledger;
import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.messaging.link.MessagingHost;
import io.karmi.messaging.link.MessagingLog;
import io.karmi.technology.Pipe;
import io.karmi.technology.Pipes;
import io.karmi.technology.RuntimeThread;
import io.karmi.technology.Technology;
import java.io.EOFException;
import java.io.ObjectInputFilter;
import java.rmi.ConnectException;
import java.rmi.RemoteException;
import java.security.SecureRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Makes links: opens them to other nodes, and takes those that others open, as many as there may
 * be. Thread-safe.
 */
final class LinkOpener implements LinkTable.Opener {
  private static final System.Logger LOG = MessagingLog.LOG;

  /** Interval between attempts to close an idle link. */
  private static final long PLACE_MILLIS = 50;

  /** Time to wait for a place for a link, after which the message fails. */
  private static final long PLACE_TIMEOUT_MILLIS = 60_000;

  /** Time for which the opener of a link may wait for others to give way. */
  private static final long GIVE_WAY_NANOS = 500_000_000;

  private final LinkOwner owner;
  private final MessagingHost host;
  private final MessagingSettings settings;
  private final LinkTable links;
  private final Delivery delivery;
  private final Runnable whenOpened;

  /** For links that this node may still open. */
  private final Semaphore places;

  /** Shown by those that were given the node's address: the number of no object, but as secret. */
  final long key = new SecureRandom().nextLong() | Long.MIN_VALUE;

  /** Whether the node ends: links are closed when what was begun over them is over. */
  private volatile boolean draining;

  LinkOpener(
      LinkOwner owner,
      MessagingHost host,
      LinkTable links,
      Delivery delivery,
      Runnable whenOpened) {
    this.owner = owner;
    this.host = host;
    this.settings = owner.settings();
    this.links = links;
    this.delivery = delivery;
    this.whenOpened = whenOpened;
    places = new Semaphore(settings.maximumLinks, true);
  }

  /** Links that this node has opened or is about to, until they have ended. */
  int opened() {
    return settings.maximumLinks - places.availablePermits();
  }

  /** No link is opened any more but for answers and handlers. */
  void drain() {
    draining = true;
  }

  boolean isDraining() {
    return draining;
  }

  /** No link is opened or taken any more. */
  void close() {
    links.close();
  }

  boolean isClosed() {
    return links.isClosed();
  }

  @Override
  public @Nullable Link open(Address to, boolean mayWait, long sinceNanos) throws RemoteException {
    if (isClosed()) {
      throw new ConnectException("messaging of this node is closed");
    }
    if (draining && RuntimeThread.sender() == null) {
      throw new ConnectException(
          "this node is shutting down, and has not sent the message to " + to);
    }
    if (!takePlace(to, mayWait, sinceNanos)) {
      return null;
    }
    boolean opened = false;
    try {
      Link link = openLink(to);
      link.whenEnded(places::release);
      opened = true;
      return begin(link);
    } finally {
      if (!opened) {
        places.release();
      }
    }
  }

  /**
   * Has a link that is idle closed if there are as many as there may be, and waits until it is.
   *
   * @return false if there is no place and the caller does not wait
   */
  private boolean takePlace(Address to, boolean mayWait, long sinceNanos) throws RemoteException {
    if (places.tryAcquire()) {
      return true;
    }
    boolean interrupted = false;
    try {
      while (true) {
        makePlace();
        try {
          if (places.tryAcquire(mayWait ? PLACE_MILLIS : 0, TimeUnit.MILLISECONDS)) {
            return true;
          }
        } catch (InterruptedException e) {
          interrupted = true;
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNanos);
        if (!mayWait) {
          return false;
        } else if (isClosed() || PLACE_TIMEOUT_MILLIS < millis) {
          throw new ConnectException(noPlace(to, millis));
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private String noPlace(Address to, long millis) {
    return "no connection to "
        + to
        + ": this node has opened "
        + settings.maximumLinks
        + " others, and none of them was idle for "
        + millis
        + " ms";
  }

  /** Closes the link that was opened by this node and is idle for the longest time. */
  private void makePlace() {
    for (Link link : links.quiet(System.nanoTime())) {
      if (!link.accepted && link.isIdle()) {
        link.farewell.sayIf(() -> true);
        if (link.isLeaving()) {
          links.forget(link);
          return;
        }
      }
    }
  }

  private Link openLink(Address to) throws RemoteException {
    ObjectId object = to.object();
    RemoteException problem = null;
    for (Technology technology : host.technologies()) {
      TechnologyId way = object.technology(technology.name());
      if (way != null && technology instanceof Pipes && technology.reaches(way)) {
        try {
          return openLink(((Pipes) technology).open(object.node(), way, object.number()), way, to);
        } catch (RemoteException e) {
          if (problem == null) {
            problem = e;
          } else {
            problem.addSuppressed(e);
          }
        }
      }
    }
    throw problem != null
        ? problem
        : new ConnectException("no technology of this node carries messages to " + to);
  }

  private Link openLink(Pipe pipe, TechnologyId way, Address to) {
    Address known =
        to.node() == NodeId.UNKNOWN
            ? new Address(new ObjectId(pipe.remote(), to.object().number(), waysOf(to.object())))
            : to;
    return new Link(owner, pipe, known, way, host.filter()); // it is trusted as its stubs are
  }

  static TechnologyId[] waysOf(ObjectId object) {
    TechnologyId[] ways = new TechnologyId[object.technologyCount()];
    for (int i = 0; i < ways.length; i++) {
      ways[i] = object.technology(i);
    }
    return ways;
  }

  /** Takes a pipe that another node has opened. */
  void accept(Pipe pipe) {
    boolean known = pipe.key() == key || pipe.key() != 0 && host.isExported(pipe.key());
    if (isClosed() || !known && !settings.open) {
      LOG.log(
          System.Logger.Level.DEBUG,
          "{0} at {1} knows no object of this node, and is refused (karmi.messaging.open)",
          pipe.remote(),
          pipe.peerName());
      pipe.close();
      return;
    }
    String from = OutLane.hostOf(pipe);
    if (!enter(from)) {
      owner.counts().linksRefused.increment();
      LOG.log(
          System.Logger.Level.DEBUG,
          "{0} at {1} is refused: of {2} connections of others no more are for its host",
          pipe.remote(),
          pipe.peerName(),
          settings.maximumAccepted);
      pipe.close();
      return;
    }
    ObjectInputFilter filter =
        known ? host.filter() : new StrangersFilter(delivery.receivers, delivery.answerers);
    boolean begun = false;
    try {
      Link link = new Link(owner, pipe, Address.ofSender(pipe), null, filter);
      link.whenEnded(() -> links.leave(from));
      begun = true;
      begin(link);
    } finally {
      if (!begun) {
        links.leave(from);
      }
    }
  }

  /**
   * Takes a place for a link of others. Where there is none, one that is not used gives way; where
   * all are used, or on their way out, it waits for one. A pause counts for no longer than it was
   * to be: if it was longer, this process has stood still, and no link has had the time to give
   * way.
   */
  private boolean enter(String from) {
    long leftNanos = GIVE_WAY_NANOS;
    Ledger.Outcome outcome = links.enter(from);
    while (outcome != Ledger.Outcome.TAKEN && !isClosed() && leftNanos > 0) {
      String host = outcome == Ledger.Outcome.HOST_IS_FULL ? from : null;
      long now = System.nanoTime();
      Link unused = links.longestUnused(host, now);
      if (unused != null) {
        unused.yieldPlace();
        leftNanos -= System.nanoTime() - now;
      } else {
        LockSupport.parkNanos(Link.LEAST_UNUSED_NANOS);
        leftNanos -= Link.LEAST_UNUSED_NANOS;
      }
      outcome = links.enter(from);
    }
    return outcome == Ledger.Outcome.TAKEN;
  }

  private Link begin(Link link) {
    if (link.accepted) {
      links.addAccepted(link); // before it can end
    }
    owner.counts().linksOpened.increment();
    boolean started = false;
    try {
      link.input.start();
      whenOpened.run();
      started = true;
    } finally {
      if (!started) {
        link.end(new EOFException("no thread to receive messages"));
      }
    }
    return link;
  }
}

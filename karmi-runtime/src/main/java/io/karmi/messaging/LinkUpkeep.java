package io.karmi.messaging;

import io.karmi.messaging.link.MessagingHost;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;

/** What is done for the links of a node now and then, by one thread. */
final class LinkUpkeep {
  private static final long LONGEST_ROUND_MILLIS = 250;

  /** Idle time after which a link gives back its memory for messages to come. */
  private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Time that a round waits for senders on a link that it closes. */
  private static final long LEAVING_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final LinkOwner owner;
  private final MessagingHost host;
  private final MessagingSettings settings;
  private final LinkTable links;
  private final PendingRequests requests;
  private final LinkOpener opener;

  LinkUpkeep(
      LinkOwner owner,
      MessagingHost host,
      LinkTable links,
      PendingRequests requests,
      LinkOpener opener) {
    this.owner = owner;
    this.host = host;
    this.settings = owner.settings();
    this.links = links;
    this.requests = requests;
    this.opener = opener;
  }

  void awaitRound() throws InterruptedException {
    long millis = Math.min(LONGEST_ROUND_MILLIS, settings.idleTimeoutMillis / 4 + 1);
    if (settings.requestTimeoutMillis > 0) {
      millis = Math.min(millis, settings.requestTimeoutMillis / 10 + 1);
    }
    Thread.sleep(millis);
  }

  boolean round() throws InterruptedException {
    owner.counts().requestsTimedOut.add(requests.failLate());
    long now = System.nanoTime();
    long idleNanos = settings.idleTimeoutMillis * 1_000_000;
    for (Link link : links.idle(now, idleNanos, settings.maximumLinks)) {
      if (link.isIdle()) {
        leave(link, now + LEAVING_NANOS);
      }
    }
    owner.pages().trim();
    owner.arrays().trim();
    for (Link link : links.all) {
      if (now - link.usedAtNanos() > REST_NANOS && link.isQuiet()) {
        link.rest();
      }
      link.giveBackWindow(now, REST_NANOS);
      link.giveSign(now);
      lookForTwin(link);
      String failing = link.failing(now);
      if (failing != null) {
        link.end(new SocketTimeoutException(link.address + " " + failing));
      } else if (isToLeave(link)) {
        leave(link, System.nanoTime() + LEAVING_NANOS);
      } else {
        link.farewell.endIfOver();
      }
    }
    return !links.all.isEmpty() || !requests.isEmpty();
  }

  /** Whether a link is to say goodbye, or has begun to and could not, as threads sent over it. */
  private boolean isToLeave(Link link) {
    if (link.farewell.isSaid()) {
      return false;
    }
    return opener.isDraining()
        || link.farewell.hasBegun()
        || owesGoodbye(link)
        || link.pressure.isAsked() && link.isIdle();
  }

  /** Whether the other end of a link waits for this one's goodbye, and nothing is under way. */
  boolean owesGoodbye(Link link) {
    return link.farewell.isHeard() && !link.farewell.hasBegun() && link.isIdle();
  }

  void leave(Link link, long deadlineNanos) throws InterruptedException {
    links.forget(link);
    link.farewell.sayUntil(deadlineNanos);
  }

  /** Where two links lead to the same node, the node with the larger number leaves its own. */
  private void lookForTwin(Link link) {
    if (opener.isDraining()) {
      return;
    }
    if (!host.isAuthorizing()) { // an authorizer may know a node by what it has shown as an opener
      links.answerKnock(link);
    }
    if (!link.accepted && link.pipe.remote().compareTo(host.node()) < 0) {
      links.knock(link);
      if (link.isOpen() && link.otherOpen() != null && link.farewell.sayIf(link::isProcessed)) {
        links.forget(link);
      }
    }
  }
}

package io.karmi.messaging;

import java.io.EOFException;
import java.util.function.BooleanSupplier;

/**
 * How a link ends in good order. Either end says goodbye behind all its messages; from then on it
 * sends only answers. The one that was first closes when it has got the other's goodbye, both have
 * processed all that was sent, and each has told the other so. An end whose link is closed before
 * has lost it.
 *
 * <p>Thread-safe.
 */
final class LinkFarewell {
  private final Link link;
  private final LinkSender sender;

  /** Since when the sender takes no more messages. */
  private volatile long begunAtNanos;

  private volatile boolean said;

  /** Whether the other end has said goodbye. */
  private volatile boolean heard;

  /** Whether it is this end that closes, once it has processed all. */
  private volatile boolean closing;

  /** How a link ends that has its sender already. */
  LinkFarewell(Link link) {
    this.link = link;
    this.sender = link.sender;
  }

  /** Whether this end takes no more messages to send, but answers. */
  boolean hasBegun() {
    return sender.takesAnswersOnly();
  }

  /** Whether this end has begun longer ago than this. */
  boolean hasBegunBefore(long now, long nanos) {
    return hasBegun() && now - begunAtNanos > nanos;
  }

  /** Whether this end has said goodbye. */
  boolean isSaid() {
    return said;
  }

  /** Whether the other end has said goodbye. */
  boolean isHeard() {
    return heard;
  }

  /** False if it had begun before. */
  private synchronized boolean begin() {
    if (hasBegun()) {
      return false;
    }
    begunAtNanos = System.nanoTime();
    sender.takeAnswersOnly();
    return true;
  }

  private void say() {
    link.tellProcessed();
    link.output.sendGoodbye();
    said = true;
  }

  /**
   * Takes no messages and requests any more, but answers, and says goodbye behind what was taken.
   *
   * @return false if threads still send at that time; then this is to be called again
   */
  boolean sayUntil(long deadlineNanos) throws InterruptedException {
    begin();
    if (!sender.awaitThoseSending(deadlineNanos)) {
      return false; // one may not have seen that the link leaves
    }
    say();
    return true;
  }

  /**
   * Says goodbye if no thread sends at this moment, and something holds; else nothing happens.
   * Never waits.
   *
   * @param condition is asked while no thread can send
   */
  boolean sayIf(BooleanSupplier condition) {
    boolean says = sender.whileNoThreadSends(() -> condition.getAsBoolean() && begin());
    if (says) {
      say();
    }
    return says;
  }

  /** The other end has said goodbye. */
  void hear() {
    boolean first = hasBegun(); // before this end answers, which the owner may do at once
    heard = true;
    link.tellProcessed();
    link.owner.forget(link);
    if (first) {
      closing = true;
      endIfOver();
    }
  }

  /** Ends the link if both ends have said goodbye, and know of each other that all is done. */
  void endIfOver() {
    if (closing && said && link.isProcessed()) {
      link.tellProcessed();
      if (link.output.hasSaidAll()) {
        link.end(new EOFException("both ends have closed the connection"));
      }
    }
  }
}

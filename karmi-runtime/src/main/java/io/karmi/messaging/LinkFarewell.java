package io.karmi.messaging;

import java.io.EOFException;
import java.util.function.BooleanSupplier;

/**
 * How a link ends in good order. Either end says goodbye behind all its messages; from then on it
 * sends only answers. The one that was first closes when it has got the other's goodbye, and has
 * processed what has come.
 *
 * <p>Thread-safe.
 */
final class LinkFarewell {
  private final Link link;

  /** Whether this end takes no more messages to send, and since when. */
  private volatile boolean begun;

  private volatile long begunAtNanos;
  private volatile boolean said;

  /** Whether the other end has said goodbye. */
  private volatile boolean heard;

  /** Whether it is this end that closes, once it has processed all. */
  private volatile boolean closing;

  LinkFarewell(Link link) {
    this.link = link;
  }

  /** Whether this end takes no more messages to send, but answers. */
  boolean hasBegun() {
    return begun;
  }

  /** Whether this end has begun longer ago than this. */
  boolean hasBegunBefore(long now, long nanos) {
    return begun && now - begunAtNanos > nanos;
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
    if (begun) {
      return false;
    }
    begunAtNanos = System.nanoTime();
    begun = true;
    return true;
  }

  private void say() {
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
    if (!link.sender.awaitThoseSending(deadlineNanos)) {
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
    boolean says = link.sender.whileNoThreadSends(() -> condition.getAsBoolean() && begin());
    if (says) {
      say();
    }
    return says;
  }

  /** The other end has said goodbye. */
  void hear() {
    boolean first = begun; // before this end answers, which the owner may do at once
    heard = true;
    link.owner.forget(link);
    if (first) {
      closing = true;
      endIfOver();
    }
  }

  /** Ends the link if both ends have said goodbye, and nothing is left to do. */
  void endIfOver() {
    if (closing && said && link.input.isQuiet() && link.output.isDrained()) {
      link.end(new EOFException("both ends have closed the connection"));
    }
  }
}

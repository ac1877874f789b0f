package io.karmi.exchange.pull;

import io.karmi.messaging.Address;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What holders say of the length of one group, and which of that is believed: a length is a claim
 * of its holder until the check sum was compared. Belongs to one thread.
 */
final class ToldLengths {
  /** What is believed; negative before the first piece. */
  private long believed = -1;

  /** The longest for which there is room. */
  private long longest = Long.MAX_VALUE;

  /** Lengths of which the pieces came too slowly. */
  private final Set<Long> givenUp = new HashSet<>();

  /** Those that were asked for all because their length was another one: each once. */
  private final Set<Address> heard = new HashSet<>();

  /** Those that tell a length which is not believed, until no one else is left. */
  private final List<Address> doubted = new ArrayList<>();

  /** What is believed, in bytes; negative if nothing is. */
  long believed() {
    return believed;
  }

  /** All is given again. */
  void beginAgain() {
    believed = -1;
  }

  boolean isRoomFor(long length) {
    return length <= longest;
  }

  /** There was no room for what is believed. */
  void isTooLong() {
    longest = believed - 1;
  }

  /**
   * Whether a length is believed, as the first one is.
   *
   * @param come bytes that have come already
   */
  boolean isBelieved(long length, long come) {
    if (believed < 0 && length >= come) {
      believed = length;
    }
    return length == believed;
  }

  /**
   * Whether a holder that tells another length than the one that is believed is to be asked for
   * all. Else it is doubted: that length was given up before, or this holder was asked for another
   * one.
   */
  boolean isHeard(Address holder, long length) {
    if (!givenUp.contains(length) && heard.add(holder)) {
      return true;
    }
    doubted.add(holder);
    return false;
  }

  /** The pieces of what is believed come too slowly. */
  void giveUp() {
    givenUp.add(believed);
  }

  /** Those that are doubted, once. */
  List<Address> takeDoubted() {
    List<Address> all = List.copyOf(doubted);
    doubted.clear();
    return all;
  }

  boolean areDoubted() {
    return !doubted.isEmpty();
  }
}

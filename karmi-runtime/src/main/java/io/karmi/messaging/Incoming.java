package io.karmi.messaging;

import java.rmi.AccessException;
import org.jspecify.annotations.Nullable;

/**
 * A message that was taken out of its lane; filled anew for each one. A thread that handles
 * messages has one, by which the thread that stands by sees how it gets on.
 */
final class Incoming {
  int kind;
  long correlation;
  @Nullable Object object;

  /** Why there is no object, or null; an {@link AccessException} if it may not be read. */
  @Nullable Throwable problem;

  /** Bytes of its last frame, which count as processed when the message has been handled. */
  int frameBytes;

  /** Whether references came in it: then the sender waits for them to be registered. */
  boolean bringsReferences;

  /** Whether an authorizer has refused it, which {@link #problem} says. */
  boolean refused;

  /** The lane that its thread keeps while it handles messages, one after the other; or null. */
  volatile @Nullable InLane lane;

  /** Whether its thread is to stop after the message, as other lanes wait. */
  volatile boolean enough;

  /* State at the last look of the thread that stands by. */
  private @Nullable InLane seenLane;
  private long seenTurn;

  /** Whether it is with another message than the last time this was asked. */
  boolean hasMovedOn(InLane lane, long turn) {
    boolean moved = lane != seenLane || turn != seenTurn;
    seenLane = lane;
    seenTurn = turn;
    return moved;
  }

  /** Its thread handles none any more: a lane that was seen is not kept, nor its link. */
  void forgetLook() {
    seenLane = null;
  }

  void clear() {
    object = null;
    refused = false;
    problem = null;
  }
}

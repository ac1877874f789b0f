package io.karmi.messaging;

import io.karmi.guard.AllocatedBytes;
import io.karmi.guard.StuckThreads;
import java.rmi.AccessException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message that was taken out of its lane; filled anew for each one. A thread that handles
 * messages has one, by which the thread that stands by sees how it gets on.
 */
final class Incoming {
  int kind;
  long correlation;
  @Nullable Object object;

  /** Whether {@link #header} is in front of the object. */
  boolean headed;

  /** What the sender's interceptors have sent along; empty for nothing. */
  Map<String, String> header = Map.of();

  /** Why there is no object, or null; an {@link AccessException} if it may not be read. */
  @Nullable Throwable problem;

  /** Bytes that were allocated to read the message that has this problem, if it may be a graph. */
  long problemBytes;

  /** Bytes of its last frame, which count as processed when the message has been handled. */
  int frameBytes;

  /** Whether references came in it: then the sender waits for them to be registered. */
  boolean bringsReferences;

  /** The link of which a handler's thread handles messages; null in other threads. */
  @Nullable Link link;

  /** Whether its answer waits for room: it counts as processed when that is sent. */
  boolean owesAnswer;

  /**
   * Bytes that its thread had allocated when the request began to be answered, or unknown; read by
   * others now and then.
   */
  long allocatedBefore = AllocatedBytes.UNKNOWN;

  /** The thread that handles it. */
  private long thread;

  /** Whether an authorizer has refused it, which {@link #problem} says. */
  boolean refused;

  /** The lane that its thread keeps while it handles messages, one after the other; or null. */
  volatile @Nullable InLane lane;

  /** Whether its thread is to stop after the message, as other lanes wait. */
  volatile boolean enough;

  /** The lane of which its thread reads a message at the moment; read by others now and then. */
  @Nullable InLane reading;

  /** Set once its thread is written off, as it does not get on with reading; under the lock. */
  StuckThreads.@Nullable Entry writtenOff;

  private @Nullable InLane seenReading;
  private int seenPosition;
  private long seenSinceNanos;

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

  /**
   * For how long its thread has read a message without taking bytes of it, in nanoseconds; to be
   * asked again and again.
   */
  long stuckNanos(long now) {
    InLane lane = reading;
    int position = lane == null ? 0 : lane.position();
    if (lane == null || lane != seenReading || position != seenPosition) {
      seenReading = lane;
      seenPosition = position;
      seenSinceNanos = now;
    }
    return lane == null ? 0 : now - seenSinceNanos;
  }

  /** The current thread handles what comes now. */
  void handledHere() {
    thread = Thread.currentThread().getId();
  }

  /** Bytes that its thread has allocated to answer it; asked by another one. */
  long madeBytes() {
    long before = allocatedBefore;
    return before == AllocatedBytes.UNKNOWN
        ? 0
        : Math.max(0, AllocatedBytes.ofThread(thread) - before);
  }

  /** Its thread handles none any more: a lane that was seen is not kept, nor its link. */
  void forgetLook() {
    seenLane = null;
    seenReading = null;
    link = null;
  }

  void clear() {
    allocatedBefore = AllocatedBytes.UNKNOWN;
    bringsReferences = false;
    owesAnswer = false;
    object = null;
    header = Map.of();
    refused = false;
    problem = null;
    problemBytes = 0;
  }
}

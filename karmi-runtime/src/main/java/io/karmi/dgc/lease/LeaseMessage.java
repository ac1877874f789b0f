package io.karmi.dgc.lease;

import java.util.List;

/**
 * What holder and owner say to each other: {@code [kind, sequence number, duration in milliseconds,
 * (object number, key) …]}.
 *
 * <p>A key is a secret between a holder and the owner of an object. The holder may reach the owner
 * by several connections that the owner cannot tell to be of one node: over the one that the owner
 * has opened, while a call is under way, and over its own. It shows the key over each of them.
 *
 * <p>The answer to {@link #DIRTY} is the granted duration in milliseconds, to {@link #CLEAN} it is
 * 0.
 */
final class LeaseMessage {
  /** I hold references to these objects. */
  static final long DIRTY = 1;

  /** I hold no reference to these objects any more. */
  static final long CLEAN = 2;

  /** Index of the first object number. */
  static final int FIRST_NUMBER = 3;

  /** How far one object number is from the next one; its key is in between. */
  static final int STEP = 2;

  /** The most objects in one message. */
  static final int MAXIMUM_OBJECTS = 5_000;

  private LeaseMessage() {}

  static long[] of(long kind, long sequence, long durationMillis, List<Held> objects) {
    long[] message = new long[FIRST_NUMBER + STEP * objects.size()];
    message[0] = kind;
    message[1] = sequence;
    message[2] = durationMillis;
    int at = FIRST_NUMBER;
    for (Held object : objects) {
      message[at] = object.number();
      message[at + 1] = object.key();
      at += STEP;
    }
    return message;
  }

  /** An object and the key that its holder shows with it. */
  record Held(long number, long key) {}
}

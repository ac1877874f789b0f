package io.karmi.dgc.lease;

import java.util.List;

/**
 * Layout of a holder's message to an owner: {@code [kind, sequence number, duration in
 * milliseconds, (object number, key) …]}.
 *
 * <p>A key is a secret between a holder and the owner of an object. The owner cannot tell that
 * several connections are of one node: one that it has opened itself, while a call is under way,
 * and those of the holder. So the holder shows the key over each of them.
 *
 * <p>The answer to {@link #DIRTY} is the granted duration in milliseconds, to {@link #CLEAN} it is
 * 0.
 */
final class LeaseMessage {
  /** Kind: the sender holds references to these objects. */
  static final long DIRTY = 1;

  /** Kind: the sender holds no reference to these objects any more. */
  static final long CLEAN = 2;

  static final int FIRST_NUMBER = 3;

  /** Distance from one object number to the next; the key of the first one is in between. */
  static final int STEP = 2;

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

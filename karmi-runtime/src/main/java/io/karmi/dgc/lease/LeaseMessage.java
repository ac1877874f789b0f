package io.karmi.dgc.lease;

import java.util.Collection;

/**
 * What holder and owner say to each other: {@code [kind, sequence number, duration in milliseconds,
 * object numbers …]}.
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

  /** So many object numbers go into one message at most. */
  static final int MAXIMUM_NUMBERS = 10_000;

  private LeaseMessage() {}

  static long[] of(long kind, long sequence, long durationMillis, Collection<Long> numbers) {
    long[] message = new long[FIRST_NUMBER + numbers.size()];
    message[0] = kind;
    message[1] = sequence;
    message[2] = durationMillis;
    int at = FIRST_NUMBER;
    for (long number : numbers) {
      message[at++] = number;
    }
    return message;
  }
}

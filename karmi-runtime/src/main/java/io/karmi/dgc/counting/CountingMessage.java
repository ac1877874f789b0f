package io.karmi.dgc.counting;

import io.karmi.dgc.Messenger;
import java.util.List;
import java.util.Map;

/**
 * Layout of a holder's message to an owner: {@code [kind, account]} and, of all but the first,
 * {@code [sequence number, …]}.
 */
final class CountingMessage {
  /** Kind: opens the account with that number, which lasts as long as the line of this message. */
  static final long OPEN = 1;

  /** Kind: adds one to the weight of each of the objects that follow. */
  static final long CLAIM = 2;

  /** Kind: takes weight away; pairs of object and weight follow. */
  static final long RELEASE = 3;

  static final int FIRST_NUMBER = 3;

  /** As many as fit into a message that releases them. */
  static final int MAXIMUM_OBJECTS = (Messenger.MAXIMUM_NUMBERS - FIRST_NUMBER) / 2;

  /** The answer to a message that was handled, now or before. */
  static final long DONE = 0;

  /** The answer if the holder has no such account: its line was lost. */
  static final long NO_ACCOUNT = -1;

  private CountingMessage() {}

  static long[] open(long account) {
    return new long[] {OPEN, account};
  }

  static long[] claim(long account, long sequence, List<Long> numbers) {
    long[] message = new long[FIRST_NUMBER + numbers.size()];
    message[0] = CLAIM;
    message[1] = account;
    message[2] = sequence;
    int at = FIRST_NUMBER;
    for (long number : numbers) {
      message[at++] = number;
    }
    return message;
  }

  static long[] release(long account, long sequence, List<Map.Entry<Long, Long>> weights) {
    long[] message = new long[FIRST_NUMBER + 2 * weights.size()];
    message[0] = RELEASE;
    message[1] = account;
    message[2] = sequence;
    int at = FIRST_NUMBER;
    for (Map.Entry<Long, Long> weight : weights) {
      message[at++] = weight.getKey();
      message[at++] = weight.getValue();
    }
    return message;
  }
}

package io.karmi.messaging.channel;

import java.io.IOException;

/**
 * Why a graph cannot be read, until the program is told.
 *
 * @param memoryBytes bytes that the exception may refer to: those that were allocated to read the
 *     graph
 */
public record GraphFailure(Throwable why, long memoryBytes) {
  /** Longer ones are told by their text: an exception may refer to all that has come. */
  private static final int LONGEST_BYTES = 1 << 16;

  /**
   * A failure that is not too long.
   *
   * @param memoryBytes as far as is known; {@link Long#MAX_VALUE} if it is not
   */
  public static GraphFailure of(Throwable why, long memoryBytes) {
    GraphFailure failure = new GraphFailure(why, memoryBytes);
    return memoryBytes <= LONGEST_BYTES ? failure : failure.brief();
  }

  /** The same by its text alone. */
  GraphFailure brief() {
    if (why instanceof ClassNotFoundException) {
      String name = String.valueOf(why.getMessage());
      return new GraphFailure(new ClassNotFoundException(text(name)), 0);
    }
    return new GraphFailure(new IOException(text(why)), 0);
  }

  /** Names a failure in a text that is not too long. */
  public static String text(Throwable why) {
    return text(why.toString());
  }

  private static String text(String text) {
    return ChannelState.Failure.of(0, 0, text).reason();
  }

  /** The same where others count what it refers to. */
  GraphFailure uncounted() {
    return new GraphFailure(why, 0);
  }
}

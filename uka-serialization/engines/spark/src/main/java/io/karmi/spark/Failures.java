package io.karmi.spark;

import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;

/** Exceptions as Spark, whose methods are Scala's and declare none, expects them. */
final class Failures {
  private Failures() {}

  /** Throws a checked exception from a method that declares none. */
  @SuppressWarnings("unchecked")
  static <E extends Throwable> RuntimeException sneak(Throwable failure) throws E {
    throw (E) failure;
  }

  /**
   * The end of a stream inside a record: not an {@link EOFException}, which to Spark is the end of
   * the data.
   */
  static IOException cutOff(long offset, EOFException cause) {
    StreamCorruptedException failure =
        new StreamCorruptedException(
            "record is cut off: it began at byte "
                + offset
                + " of the block, which ends inside it ("
                + cause.getMessage()
                + ")");
    failure.initCause(cause);
    return failure;
  }
}

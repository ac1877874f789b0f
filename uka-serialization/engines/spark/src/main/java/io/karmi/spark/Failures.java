package io.karmi.spark;

import java.io.EOFException;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.StreamCorruptedException;
import org.apache.spark.serializer.SerializationDebugger;
import org.jspecify.annotations.Nullable;

/** Exceptions as Spark, whose methods are Scala's and declare none, expects them. */
final class Failures {
  private Failures() {}

  /** Throws a checked exception from a method that declares none. */
  @SuppressWarnings("unchecked")
  static <E extends Throwable> RuntimeException sneak(Throwable failure) throws E {
    throw (E) failure;
  }

  /**
   * What an object that could not be written is reported with, as by Spark's JavaSerializer: the
   * way from the record to the object that is not serializable.
   */
  static RuntimeException unwritten(@Nullable Object record, IOException e, UkaSettings settings) {
    if (record != null && e instanceof NotSerializableException && settings.explainsFailures()) {
      try {
        return sneak(SerializationDebugger.improveException(record, (NotSerializableException) e));
      } catch (LinkageError unopened) {
        /* It needs --add-opens of java.io, which Spark gives its own JVMs. */
      }
    }
    return sneak(e);
  }

  /**
   * The end of a stream inside a record: not an {@link EOFException}, which to Spark is the end of
   * the data.
   */
  static IOException cutOff(long offset, IOException cause) {
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

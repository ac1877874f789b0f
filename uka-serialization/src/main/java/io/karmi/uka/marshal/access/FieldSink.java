package io.karmi.uka.marshal.access;

import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Where {@link FieldAccess#write} puts an object's fields: primitives into the buffer, references
 * to the engine.
 */
public abstract class FieldSink {
  /** Primitives go here. */
  public final OutputBuffer buffer;

  protected FieldSink(OutputBuffer buffer) {
    this.buffer = buffer;
  }

  /** Writes what a field refers to. */
  public abstract void writeReference(@Nullable Object value) throws IOException;

  /** Writes what a field refers to that can refer to nothing but strings. */
  public abstract void writeString(@Nullable String value) throws IOException;
}

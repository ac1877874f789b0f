package io.karmi.uka.engine.write;

import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.field.FieldSink;
import io.karmi.uka.format.FormatWriter;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.ObjectStreamConstants;
import org.jspecify.annotations.Nullable;

/**
 * Context in which the parts of one object are written: its fields, its type, and the data of its
 * class's own methods. {@link ObjectWriter} is the only implementation; it also chooses how whole
 * objects are written, of which the parts know nothing.
 */
public abstract class WriteContext extends FieldSink implements FormatWriter.TypeNames {
  public final OutputHooks hooks;
  final FormatWriter format;

  WriteContext(OutputHooks hooks, OutputBuffer buffer, FormatWriter format) {
    super(buffer, hooks.stream());
    this.hooks = hooks;
    this.format = format;
  }

  public final FormatWriter format() {
    return format;
  }

  public abstract BlockWriter blocks();

  /** The path to the object that is being written. */
  public abstract FailurePath path();

  /** One of the protocol versions of {@link ObjectStreamConstants}. */
  public abstract int protocol();

  /** As {@link Marshaler#hasNumbers} of the class's marshaler. */
  abstract boolean hasNumbers(LocalClass type);

  /** Writes the reference of a field that is declared unshared. */
  public abstract void writeUnsharedReference(@Nullable Object object) throws IOException;

  /** As {@link WriteStrategies#writeReferences}. */
  abstract boolean writeTogether(LocalClass level, @Nullable Object[] references)
      throws IOException;
}

package io.karmi.uka.engine.write;

import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.field.FieldSink;
import io.karmi.uka.format.FormatWriter;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.ObjectStreamConstants;
import org.jspecify.annotations.Nullable;

/**
 * Context in which the parts of one object are written: its fields, its type, and what its class's
 * own methods write. {@link ObjectWriter} is the only one; the parts need not know that it also
 * decides how whole objects are written.
 */
public abstract class WriteContext extends FieldSink implements FormatWriter.TypeNames {
  public final OutputHooks hooks;

  WriteContext(OutputHooks hooks, OutputBuffer buffer) {
    super(buffer, hooks.stream());
    this.hooks = hooks;
  }

  /** The wire format in use. */
  public abstract FormatWriter format();

  /** What {@code writeInt} and its like write to. */
  public abstract BlockWriter blocks();

  /** How the object is reached that is being written; empty unless it is kept. */
  public abstract FailurePath path();

  /** One of the protocol versions of {@link ObjectStreamConstants}. */
  public abstract int protocol();

  /**
   * Whether all fields of the class's objects are its own, and there are whole numbers among them.
   */
  abstract boolean hasNumbers(LocalClass type);

  /** Writes what a field refers to that is declared as unshared. */
  public abstract void writeUnsharedReference(@Nullable Object object) throws IOException;

  /**
   * Writes the references that a {@code writeObject} method has put into fields of its class, if
   * there is a better way than one by one.
   *
   * @return false if nothing has been written
   */
  abstract boolean writeTogether(LocalClass level, @Nullable Object[] references)
      throws IOException;
}

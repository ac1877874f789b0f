package io.karmi.uka.marshal.access;

import io.karmi.uka.buffer.InputBuffer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Where {@link FieldAccess#read} takes an object's fields from.
 *
 * <p>Objects go by their handle, for the engine to note what depends on what: an object that refers
 * to one whose class is missing is not intact.
 */
public abstract class FieldSource {
  /** Primitives come from here. */
  public final InputBuffer buffer;

  protected FieldSource(InputBuffer buffer) {
    this.buffer = buffer;
  }

  /** Gives a new object its handle, before its fields are read. */
  public abstract int begin(Object object);

  /** Says that all of the object with this handle has been read. */
  public abstract void end(int handle);

  /** Reads what a field of the object with this handle refers to. */
  public abstract @Nullable Object readReference(int handle) throws IOException;

  /** Reads what a field refers to that the local class does not have. */
  public abstract void skipReference() throws IOException;

  /** Whether the object may be handed out, as far as is known. */
  public abstract boolean isIntact(int handle);
}

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

  /**
   * Gives a new object its handle, before its fields are read; null for one that can be made only
   * after that.
   */
  public abstract int begin(@Nullable Object object);

  /** Gives a new object its handle that refers to no other, and is complete. */
  public abstract void addLeaf(Object object);

  /** Replaces an object that had a handle before it could be made. */
  public abstract void complete(int handle, Object object);

  /** Says that all of the object with this handle has been read. */
  public abstract void end(int handle);

  /**
   * Takes token and type of an object if they are the next to come, the type has this number, and
   * nobody has to see the object.
   */
  public abstract boolean takesNext(int number) throws IOException;

  /** Notes that the object with this handle refers to the one that has been read last. */
  public abstract void own(int owner);

  /** Reads what a field of the object with this handle refers to. */
  public abstract @Nullable Object readReference(int handle) throws IOException;

  /** Reads what a field refers to that the local class does not have. */
  public abstract void skipReference() throws IOException;

  /** Whether the object may be handed out, as far as is known. */
  public abstract boolean isIntact(int handle);
}

package io.karmi.uka.field;

import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.io.ObjectOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Where {@link FieldAccess#write} puts an object's fields: primitives into the buffer, references
 * to the engine.
 */
public abstract class FieldSink {
  /** Primitives go here. */
  public final OutputBuffer buffer;

  /** For classes that marshal themselves. */
  public final ObjectOutputStream stream;

  protected FieldSink(OutputBuffer buffer, ObjectOutputStream stream) {
    this.buffer = buffer;
    this.stream = stream;
  }

  /** Writes what a field refers to. */
  public abstract void writeReference(@Nullable Object value) throws IOException;

  /**
   * Gives an object its handle, or writes a reference if it has got one.
   *
   * @return whether the object is new to the message, so that the caller has to write it
   */
  public abstract boolean isNew(Object object) throws IOException;

  /**
   * Gives elements of an array their handles, as long as they are new to the message, of one class,
   * and no hook has to see them; the caller has to write what {@link #taken} returns.
   *
   * @param type of the class, which refers to no other objects
   * @return how many; none is no reason to ask no more
   */
  public abstract int take(Object[] elements, int from, Class<?> type);

  /** The object with the handle before the next one, or the one that is this many before it. */
  public abstract Object taken(int before);

  /**
   * As {@link #isNew}, for an object that another one of its class refers to, and goes one level
   * down to it; or writes all of the object another way.
   *
   * @return whether the caller has to write the object, and to call {@link #ends} then
   */
  public abstract boolean begins(Object object) throws IOException;

  /** All of an object has been written that has begun. */
  public abstract void ends();

  /** Whether an object may be replaced by another, so that each has to be shown to the engine. */
  public abstract boolean isWatched();

  /**
   * Writes what a field refers to that can refer to nothing but objects of one class.
   *
   * @param type that class
   * @param hash the identity hash of the class, a constant of the caller's
   */
  public abstract void writeExact(@Nullable Object value, Class<?> type, int hash)
      throws IOException;

  /** Writes what a field refers to that can refer to nothing but strings. */
  public abstract void writeString(@Nullable String value) throws IOException;
}

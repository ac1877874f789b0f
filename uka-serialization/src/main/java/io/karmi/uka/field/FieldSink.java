package io.karmi.uka.field;

import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.io.ObjectOutputStream;
import org.jspecify.annotations.Nullable;

/** Target of {@link FieldAccess#write}: a buffer for primitives, and the engine for references. */
public abstract class FieldSink {
  public final OutputBuffer buffer;

  /** The stream, for classes with marshalers of their own. */
  public final ObjectOutputStream stream;

  protected FieldSink(OutputBuffer buffer, ObjectOutputStream stream) {
    this.buffer = buffer;
    this.stream = stream;
  }

  /** Writes the reference of a field. */
  public abstract void writeReference(@Nullable Object value) throws IOException;

  /**
   * Gives an object a handle, or writes a reference if it has one.
   *
   * @return whether the object is new, so that the caller has to write it
   */
  public abstract boolean isNew(Object object) throws IOException;

  /**
   * Gives handles to elements of an array, as long as they are new, of one class, and no hook
   * observes them. The caller has to write what {@link #newlyAssigned} returns.
   *
   * @param type the class, whose objects refer to no others
   * @return how many have got a handle; 0 does not mean that there are no more
   */
  public abstract int assignNew(Object[] elements, int from, Class<?> type);

  /** The object with the last handle, or the one this many handles before it. */
  public abstract Object newlyAssigned(int before);

  /**
   * As {@link #isNew}, for an object of the class that refers to it; goes one level down to a new
   * one.
   *
   * @return whether the caller has to write the object and then call {@link #leave}
   */
  public abstract boolean enterIfNew(Object object) throws IOException;

  /** Whether objects are looked for by the hash of their content now, where they have some. */
  public boolean usesContents() {
    return false;
  }

  /** As {@link #isNew(Object)}, for an object of a class that has content, with its hash. */
  public boolean isNew(Object object, int contentHash) throws IOException {
    return isNew(object);
  }

  /** As {@link #enterIfNew(Object)}, for an object of a class that has content, with its hash. */
  public boolean enterIfNew(Object object, int contentHash) throws IOException {
    return enterIfNew(object);
  }

  /** Says that a method of the program comes, which may change objects of the message. */
  public void beforeProgram() {}

  /** Ends an object that has begun. */
  public abstract void leave();

  /** Whether hooks observe each object. */
  public abstract boolean isWatched();

  /**
   * Writes the reference of a field that can refer to objects of one class only.
   *
   * @param hash identity hash of that class, a constant of the caller
   */
  public abstract void writeExact(@Nullable Object value, Class<?> type, int hash)
      throws IOException;

  /** Writes the reference of a field that can refer to strings only. */
  public abstract void writeString(@Nullable String value) throws IOException;
}

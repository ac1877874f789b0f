package io.karmi.uka.field;

import io.karmi.uka.buffer.InputBuffer;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Source of {@link FieldAccess#read}.
 *
 * <p>Objects are identified by handles, by which the engine notes dependencies: an object that
 * refers to one of a missing class is not intact.
 */
public abstract class FieldSource {
  public final InputBuffer buffer;

  /** The stream, for classes with marshalers of their own. */
  public final ObjectInputStream stream;

  private @Nullable GivenFields given;

  protected FieldSource(InputBuffer buffer, ObjectInputStream stream) {
    this.buffer = buffer;
    this.stream = stream;
  }

  /** What the JDK's default methods get fields from. */
  final GivenFields given() {
    GivenFields fields = given;
    if (fields == null) {
      fields = GivenFields.open();
      given = fields;
    }
    return fields;
  }

  /** Gives a new object its handle before its fields are read; null if it is made after that. */
  public abstract int begin(@Nullable Object object);

  /** Gives a handle to a complete object that refers to no others. */
  public abstract void addLeaf(Object object);

  /** Sets the object of a handle, which was made after it. */
  public abstract void complete(int handle, Object object);

  /** Ends the object with this handle. */
  public abstract void end(int handle);

  /** The handle that the next object will have. */
  public abstract int nextHandle();

  /**
   * Ends an object that its own class has made.
   *
   * @param handle {@link #nextHandle} before that
   * @throws InvalidClassException if the class has given it no handle
   */
  public abstract void endSelfMade(int handle, Object object) throws InvalidClassException;

  /** Marks the object with this handle, which must not be handed out. */
  public abstract void lose(int handle, ClassNotFoundException reason);

  /**
   * Reads token and type of an object, if they come next, the type has this number, and no hook
   * observes the object.
   */
  public abstract boolean takeIfNext(int number) throws IOException;

  /**
   * The byte that begins each object of the type with this number, if objects that have arrived may
   * be taken from the buffer without asking for each one; else 0.
   */
  public abstract int runToken(int number);

  /** Gives handles to complete objects of an array that refer to no others. */
  public abstract void addLeaves(Object[] objects, int from, int to);

  /** Notes that the object with this handle depends on the one that was read last. */
  public abstract void dependOnLast(int owner);

  /**
   * Reads token and type of an object, if they come next, {@code maker} makes the objects of the
   * type, and no hook observes them; goes one level down. The caller makes the object and calls
   * {@link #leaveTo}.
   */
  public abstract boolean enterIfNext(ObjectAccess maker) throws IOException;

  /** As {@link #enterIfNext(ObjectAccess)}, for objects that a woven class makes. */
  public abstract boolean enterIfNext(Class<?> woven) throws IOException;

  /** Ends an object to which the one with the handle {@code owner} refers. */
  public abstract void leaveTo(int owner);

  /** Reads a reference of the object with this handle. */
  public abstract @Nullable Object readReference(int handle) throws IOException;

  /** As {@link #readReference}, mostly to a string; small enough to be inlined. */
  public abstract @Nullable Object readString(int handle) throws IOException;

  /** As {@link #readReference}, mostly to an {@code Integer}. */
  public abstract @Nullable Object readInteger(int handle) throws IOException;

  /** As {@link #readReference}, mostly to a {@code Long}. */
  public abstract @Nullable Object readLong(int handle) throws IOException;

  /** As {@link #readReference}, mostly to a {@code Double}. */
  public abstract @Nullable Object readDouble(int handle) throws IOException;

  /**
   * As {@link #readReference}, mostly to an array of primitives.
   *
   * @param code type code of its elements
   */
  public @Nullable Object readArray(int handle, char code) throws IOException {
    return readReference(handle);
  }

  /** Reads the reference of a field that the local class does not have. */
  public abstract void skipReference() throws IOException;

  /** Whether the object is not marked so far. */
  public abstract boolean isIntact(int handle);

  /**
   * Checks that a value fits a field.
   *
   * @param declaring the class that has the field
   * @param object whose field it is
   * @throws ClassCastException naming the value's class, the field, its type and the object's class
   */
  public static void check(
      @Nullable Object value, Class<?> fieldType, Class<?> declaring, String field, Object object) {
    if (value != null && !fieldType.isInstance(value)) {
      throw mismatch(value, fieldType, declaring, field, object);
    }
  }

  /* Apart, so that the check itself can be inlined. */
  static ClassCastException mismatch(
      Object value, Class<?> fieldType, Class<?> declaring, String field, Object object) {
    return new ClassCastException(
        "cannot assign instance of "
            + value.getClass().getName()
            + " to field "
            + declaring.getName()
            + "."
            + field
            + " of type "
            + fieldType.getName()
            + " in instance of "
            + object.getClass().getName());
  }
}

package io.karmi.uka.field;

import io.karmi.uka.buffer.InputBuffer;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
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

  /** For classes that marshal themselves. */
  public final ObjectInputStream stream;

  protected FieldSource(InputBuffer buffer, ObjectInputStream stream) {
    this.buffer = buffer;
    this.stream = stream;
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

  /** The handle that the next object will have. */
  public abstract int nextHandle();

  /**
   * Says that all of an object has been read by its own class.
   *
   * @param handle what {@link #nextHandle} was before that
   * @throws InvalidClassException if the class has given it none
   */
  public abstract void endSelfMade(int handle, Object object) throws InvalidClassException;

  /** Says that the object with this handle must not be handed out, and why. */
  public abstract void lose(int handle, ClassNotFoundException reason);

  /**
   * Takes token and type of an object if they are the next to come, the type has this number, and
   * no hook has to see the object.
   */
  public abstract boolean takesNext(int number) throws IOException;

  /** Notes that the object with this handle refers to the one that has been read last. */
  public abstract void own(int owner);

  /**
   * Takes token and type of an object if they are the next to come, these objects are made by
   * {@code maker}, and no hook has to see the object: then it is to be made, one level down, and
   * {@link #ends} follows.
   */
  public abstract boolean begins(ObjectAccess maker) throws IOException;

  /** The same for objects that a woven class makes itself. */
  public abstract boolean begins(Class<?> woven) throws IOException;

  /** Says that the object has been made, to which the one with the handle {@code owner} refers. */
  public abstract void ends(int owner);

  /** Reads what a field of the object with this handle refers to. */
  public abstract @Nullable Object readReference(int handle) throws IOException;

  /**
   * The same where that is a string, mostly: short enough for the JIT to be put into the code of
   * the class.
   */
  public abstract @Nullable Object readString(int handle) throws IOException;

  /** The same where that is an {@code Integer}. */
  public abstract @Nullable Object readInteger(int handle) throws IOException;

  /** The same where that is a {@code Long}. */
  public abstract @Nullable Object readLong(int handle) throws IOException;

  /** The same where that is a {@code Double}. */
  public abstract @Nullable Object readDouble(int handle) throws IOException;

  /** Reads what a field refers to that the local class does not have. */
  public abstract void skipReference() throws IOException;

  /** Whether the object may be handed out, as far as is known. */
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

  /* Apart, so that the JIT can put the check itself into the code of each class. */
  private static ClassCastException mismatch(
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

package io.karmi.uka.engine.write;

import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.format.Token;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.InvalidClassException;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * How objects of one class are written: one strategy per class, found once.
 *
 * <p>{@link WriteStrategies} chooses. Strings, arrays, enum constants, classes and descriptors have
 * a strategy each; all other objects have an {@link ObjectMarshaler}, whose bytes are the same
 * whether the class is woven, has generated code, or is written by the general path. {@code
 * Unmarshaler} is the reading counterpart, found per class <em>of a stream</em>.
 *
 * <p>Thread-safe, as one instance serves all streams.
 */
public abstract class Marshaler {
  /** The class whose objects it writes. */
  protected final LocalClass type;

  private final boolean replaceable;

  protected Marshaler(LocalClass type) {
    this.type = type;
    replaceable = type.hooks().hasWriteReplace();
  }

  /** Whether the class has a {@code writeReplace} method. */
  public final boolean isReplaceable() {
    return replaceable;
  }

  /**
   * The one to use where a program's stream replaces objects, and sees what an object's own class
   * has replaced it by.
   */
  public Marshaler whenReplacing() {
    return this;
  }

  /** Calls {@code writeReplace}. */
  public final @Nullable Object replace(Object object) throws IOException {
    return type.hooks().writeReplace(object);
  }

  /** Whether an object is nothing but primitives and references, so that {@link #begin} works. */
  public boolean isPlain() {
    return false;
  }

  /** Writes token and type of a plain object, and leaves the rest to {@link DeepWriter}. */
  public DeepWriter.Half begin(ObjectWriter out, Object object, boolean unshared)
      throws IOException {
    throw new IllegalStateException(type + " is not plain");
  }

  /** Whether the stream's {@code replaceObject} is spared such objects. */
  public boolean isClassOrDescriptor() {
    return false;
  }

  /** Whether, once the type has a number, {@link #writeKnown} does what {@link #write} does. */
  public boolean isDirect() {
    return false;
  }

  /** Whether a type number stands in front of the object. */
  public boolean hasType() {
    return true;
  }

  /** The token that stands before the type of a direct object. */
  public int token() {
    return Token.OBJECT;
  }

  /**
   * All fields of an object, if it is nothing but its fields, and an object has been written in
   * this byte order; else null.
   */
  public @Nullable ObjectAccess fields(ByteOrder order) {
    return null;
  }

  /**
   * Whether an object may be nothing but its fields, moved by an access that {@link #openFields}
   * finds.
   */
  public boolean mayHaveFieldsOnly() {
    return false;
  }

  /** All fields of such an object, as this stream can reach them now; null if it cannot. */
  public @Nullable ObjectAccess openFields(ObjectWriter out) throws InvalidClassException {
    return null;
  }

  /**
   * Whether all fields of an object are those of one class, and there are whole numbers among them.
   */
  public boolean hasNumbers() {
    return false;
  }

  /** What {@link #runWidth} returns for most classes. */
  public static final int NOT_RUNNABLE = -1;

  /**
   * How many bytes the data of each object takes where numbers are compact, 0 if it is one number
   * of variable length; then many can be written together.
   */
  public int runWidth() {
    return NOT_RUNNABLE;
  }

  /** Writes the data of objects that are written together, where numbers are compact. */
  public void writeAllData(ObjectWriter out, @Nullable Object[] objects, int from, int to)
      throws IOException {
    throw new IllegalStateException("not written together: " + type);
  }

  /**
   * Writes the data of an ordinary object, whose token, type and handle are there. {@link
   * ObjectMarshaler} does.
   */
  public void marshal(ObjectWriter out, Object object) throws IOException {
    throw new IllegalStateException("no ordinary object: " + type);
  }

  /** Writes an object whose type the reader knows. It is new to the message and has its handle. */
  public void writeKnown(ObjectWriter out, Object object, KnownClasses.Known known)
      throws IOException {
    throw new IllegalStateException("not direct: " + type);
  }

  /**
   * Writes an object that is new to the message, from its token on.
   *
   * @param unshared whether no later reference to it may be written
   */
  public abstract void write(ObjectWriter out, Object object, boolean unshared) throws IOException;
}

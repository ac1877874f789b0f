package io.karmi.uka.engine.write;

import io.karmi.uka.field.ContentHash;
import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.format.Token;
import io.karmi.uka.platform.ReplacesItself;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.InvalidClassException;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Strategy by which objects of one class are written; {@link WriteStrategies} chooses it, once.
 *
 * <p>Strings, arrays, enum constants, classes and descriptors have a strategy each; all other
 * objects have an {@link ObjectMarshaler}, whose bytes are the same whether the class is woven, has
 * generated code, or takes the general path. {@code Unmarshaler} is the counterpart, per type of a
 * stream.
 *
 * <p>Thread-safe, as one instance serves all streams.
 */
public abstract class Marshaler {
  /** The class whose objects it writes. */
  protected final LocalClass type;

  private final boolean replaceable;

  /** Size of messages that begin with such an object. */
  final MessageSize messages = new MessageSize();

  /** {@link #isDirect}, for {@link #answers}. */
  static final int DIRECT = 1;

  /** {@link #mayHaveFieldsOnly}, for {@link #answers}. */
  static final int FIELDS_ONLY = 2;

  /** {@link #hasType}, for {@link #answers}. */
  static final int TYPED = 4;

  private static final int ASKED = 8;

  /** What {@link #answers} knows. A race asks twice. */
  private int answers;

  protected Marshaler(LocalClass type) {
    this.type = type;
    replaceable = type.hooks().hasWriteReplace();
  }

  /**
   * The answer of one of the methods above, each of which always answers the same, without a
   * virtual call.
   */
  final boolean answers(int question) {
    int known = answers;
    if (known == 0) {
      known =
          ASKED
              | (isDirect() ? DIRECT : 0)
              | (mayHaveFieldsOnly() ? FIELDS_ONLY : 0)
              | (hasType() ? TYPED : 0);
      answers = known;
    }
    return (known & question) != 0;
  }

  /** Whether the class has a {@code writeReplace} method. */
  public final boolean isReplaceable() {
    return replaceable;
  }

  /**
   * The marshaler to use where a program's stream replaces objects, and so sees the replacements of
   * {@code writeReplace}.
   */
  public Marshaler whenReplacing() {
    return this;
  }

  /** Calls {@code writeReplace}, for a stream of this format. */
  public final @Nullable Object replace(Object object, ReplacesItself.Format format)
      throws IOException {
    return type.hooks().writeReplace(object, format);
  }

  /**
   * Writes token and type of a plain object, which is nothing but primitives and references; the
   * rest follows without recursion.
   *
   * @return what is left of it; null, and nothing has been written, if it is not plain
   */
  public @Nullable HalfWritten begin(ObjectWriter out, Object object, boolean unshared)
      throws IOException {
    return null;
  }

  /** As {@link #write}, of an object so deep in its graph that recursion may end the stack. */
  public void writeDeep(ObjectWriter out, Object object, boolean unshared) throws IOException {
    write(out, object, unshared);
  }

  /** Whether the stream's {@code replaceObject} is not called for such objects. */
  public boolean isClassOrDescriptor() {
    return false;
  }

  /** Whether {@link #writeKnown} does what {@link #write} does, once the type has a number. */
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
   * Access to all fields, if objects are nothing but their fields, and one has been written in this
   * byte order; else null.
   */
  public @Nullable ObjectAccess fields(ByteOrder order) {
    return null;
  }

  /** Hash of the content of objects that are written directly; null if they have none yet. */
  public @Nullable ContentHash content(ByteOrder order) {
    ObjectAccess access = fields(order);
    return access != null && access.hasContent() ? access : null;
  }

  /**
   * Whether objects may be nothing but their fields, so that {@link #openFields} finds an access.
   */
  public boolean mayHaveFieldsOnly() {
    return false;
  }

  /** Access to all fields, for this stream; null if there is none. */
  public @Nullable ObjectAccess openFields(ObjectWriter out) throws InvalidClassException {
    return null;
  }

  /**
   * Whether all fields of an object are those of one class, and there are whole numbers among them.
   */
  public boolean hasNumbers() {
    return false;
  }

  /** Result of {@link #runWidth} for most classes. */
  public static final int NOT_RUNNABLE = -1;

  /** Size of an object's data in packed runs, in bytes; 0 for one number of variable length. */
  public int runWidth() {
    return NOT_RUNNABLE;
  }

  /** Writes the data of objects of a packed run. */
  public void writeAllData(ObjectWriter out, @Nullable Object[] objects, int from, int to)
      throws IOException {
    throw new IllegalStateException("not in packed runs: " + type);
  }

  /** Writes the data of an ordinary object, behind its token and type. */
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

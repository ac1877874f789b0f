package io.karmi.uka.engine.read;

import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.platform.Instantiator;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.InvalidClassException;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Strategy by which objects of one type of one stream are read; the counterpart of {@code
 * ObjectMarshaler}.
 *
 * <p>{@code ReadStrategies} chooses a faster one only where the stream's classes equal the local
 * ones. Fields are set when all of an object's fields have arrived, as in the JDK: until then a
 * method that meets the object through a back reference sees them unset.
 */
public abstract class Unmarshaler extends ReadPlan {
  /** Whether the JDK's streams let an Error of a constructor pass; before 24 they wrap it. */
  private static final boolean ERRORS_PASS = Runtime.version().feature() >= 24;

  public final ReadType type;

  private ClassLevel @Nullable [] levels;

  private @Nullable Instantiator instantiator;

  public Unmarshaler(ReadType type) {
    this.type = type;
  }

  /** The type's class and superclasses, topmost first. */
  protected final ClassLevel[] levels() throws InvalidClassException {
    ClassLevel[] known = levels;
    if (known == null) {
      known = ClassLevel.of(type);
      levels = known;
    }
    return known;
  }

  /**
   * Reads an object behind its token and type. Its handle is the current one on return.
   *
   * @return the object, or null if it has no class here
   */
  public abstract @Nullable Object unmarshal(ReadContext in, boolean unshared) throws IOException;

  /** Reads an object on the fast path; its handle is the current one on return. */
  public @Nullable Object readShared(ReadContext in) throws IOException {
    Object object = unmarshal(in, false);
    in.end(in.currentHandle());
    return object;
  }

  /**
   * Whether {@link #readShared} is all there is to do for an element of an array or collection: the
   * objects refer to no others.
   */
  public boolean isLeaf() {
    return false;
  }

  /** Looks for what the JVM knows about the class already, before the type's first object. */
  public void prepare(ByteOrder order) throws InvalidClassException {}

  /** Whether {@link #readShared} returns what {@code readResolve} would. */
  public boolean resolves() {
    return false;
  }

  /** Whether further objects are read in the same way as the last one. */
  public boolean isSettled() {
    return true;
  }

  /** The class whose objects make themselves; null if they do not. */
  public @Nullable Class<?> selfMade() {
    return null;
  }

  /** The access that makes whole objects; null as long as none is known. */
  public @Nullable ObjectAccess whole() {
    return null;
  }

  /**
   * Begins an object that {@link DeepReader} completes, and gives it its handle.
   *
   * @return null, and nothing has been read, if the objects are not plain
   */
  public @Nullable HalfRead begin(ReadContext in, boolean unshared) throws IOException {
    return null;
  }

  /** A new object, with its handle; null if it has no class here. */
  public final @Nullable Object create(ReadContext in, boolean unshared) throws IOException {
    Object object = null;
    try {
      Instantiator known = instantiator;
      LocalClass local = known == null ? type.local() : null;
      if (local != null) {
        known = Objects.requireNonNull(local.instantiator());
        instantiator = known;
      }
      if (known != null) {
        object = known.newInstance();
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw unableToCreate(e);
    }
    in.begin(object, type, unshared);
    return object;
  }

  /** The exception for a failed constructor; throws an Error that the JDK lets pass. */
  public final InvalidClassException unableToCreate(Exception cause) {
    if (ERRORS_PASS
        && cause instanceof InvocationTargetException
        && cause.getCause() instanceof Error error) {
      throw error;
    }
    InvalidClassException exception =
        new InvalidClassException(
            Objects.requireNonNull(type.type()).getName(), "unable to create instance");
    exception.initCause(cause);
    return exception;
  }
}

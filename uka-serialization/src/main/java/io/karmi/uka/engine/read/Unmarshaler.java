package io.karmi.uka.engine.read;

import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.platform.Instantiator;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.InvalidClassException;
import java.lang.reflect.InvocationTargetException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How ordinary objects of one type of one stream are read: the counterpart of {@code
 * ObjectMarshaler}.
 *
 * <p>{@code ReadStrategies} takes a faster way only where the stream's classes equal the local
 * ones. Fields are set when all of an object's fields have arrived, as the JDK does it: until then
 * a method that meets the object through a back reference sees them unset.
 */
public abstract class Unmarshaler extends ReadPlan {
  /**
   * What the JDK's streams do with an Error of a constructor: until 24 they wrap it like an
   * exception.
   */
  private static final boolean ERRORS_PASS = Runtime.version().feature() >= 24;

  public final ReadType type;

  private Level @Nullable [] levels;

  /** Null as long as no object has been made. */
  private @Nullable Instantiator instantiator;

  public Unmarshaler(ReadType type) {
    this.type = type;
  }

  /** The type's class and superclasses, topmost first. */
  protected final Level[] levels() throws InvalidClassException {
    Level[] known = levels;
    if (known == null) {
      known = Level.of(type);
      levels = known;
    }
    return known;
  }

  /**
   * Reads the object's data; token and type have been read. Gives the object a handle, which is the
   * current one on return.
   *
   * @return the object, or null if it has no class here
   */
  public abstract @Nullable Object unmarshal(ReadContext in, boolean unshared) throws IOException;

  /** Reads an object that need not be checked; its handle is the current one on return. */
  public @Nullable Object readShared(ReadContext in) throws IOException {
    Object object = unmarshal(in, false);
    in.end(in.currentHandle());
    return object;
  }

  /**
   * Reads elements of an array or collection, as long as objects of this type come next that need
   * not be checked.
   *
   * @param number of the type
   * @param to where the elements end
   * @return the index of the first element that has not been read; {@code from} too if elements are
   *     to be read one by one
   */
  public int readRun(ReadContext in, int number, Object[] elements, int from, int to)
      throws IOException {
    return from;
  }

  /** Whether {@link #readShared} returns what {@code readResolve} would. */
  public boolean resolves() {
    return false;
  }

  /** Whether it reads further objects no other way than the last one. */
  public boolean isSettled() {
    return true;
  }

  /** The class whose objects make themselves; null if they do not. */
  public @Nullable Class<?> selfMade() {
    return null;
  }

  /** What makes whole objects; null as long as it is not known that something can. */
  public @Nullable ObjectAccess whole() {
    return null;
  }

  /**
   * Begins a plain object that {@link DeepReader} completes: gives it its handle.
   *
   * @return null, and nothing has happened, if such objects are not plain
   */
  public @Nullable HalfRead begin(ReadContext in, boolean unshared) throws IOException {
    return null;
  }

  /** A new object, with its handle; null if it has no class here. */
  public final @Nullable Object create(ReadContext in, boolean unshared) throws IOException {
    Object object = null;
    try {
      LocalClass local = type.local();
      if (local != null) {
        Instantiator known = instantiator;
        if (known == null) {
          known = Objects.requireNonNull(local.instantiator());
          instantiator = known;
        }
        object = known.newInstance();
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw unableToCreate(e);
    }
    in.begin(object, type, unshared);
    return object;
  }

  /** What a constructor's failure becomes; an error passes as it is where the JDK lets it pass. */
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

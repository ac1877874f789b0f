package io.karmi.uka.field;

import io.karmi.uka.platform.UnsafeMethods;
import java.io.IOException;
import java.io.InvalidClassException;
import org.jspecify.annotations.Nullable;

/**
 * Access to whole objects of one class, by {@link FieldAccess} or by the class's own marshalers
 * ({@code AwareAccess}). Thread-safe.
 */
public abstract class ObjectAccess extends ContentHash {
  /** Flag of an opening: numbers may be narrow. */
  public static final long NARROWABLE = Long.MIN_VALUE;

  /** For hidden classes, which may live in other packages. */
  protected ObjectAccess() {}

  /** A new instance, without a constructor. */
  static Object allocate(Class<?> type) throws InvalidClassException {
    try {
      return UnsafeMethods.allocate(type);
    } catch (InstantiationException e) {
      throw new InvalidClassException(type.getName(), "unable to create instance");
    }
  }

  /** Whether this access is to be replaced, and must not be kept. */
  public boolean isProvisional() {
    return false;
  }

  /**
   * Writes an object: an opening and all fields.
   *
   * @param opening {@code openingBytes} bytes, the lowest first; with {@link #NARROWABLE} one byte,
   *     to which the ordinal of a {@link NumberWidth} may be added for numbers of that width
   */
  public abstract void write(FieldSink sink, Object object, long opening, int openingBytes)
      throws IOException;

  /**
   * Makes an object of the class and reads its fields.
   *
   * @return the object; null if it is not intact
   */
  public abstract @Nullable Object readNew(FieldSource source) throws IOException;

  /**
   * Writes elements of an array, as long as they are objects of one class and no hook observes
   * them.
   *
   * @param type that class, or a subclass without fields
   * @param opening as in {@link #write}
   * @return the index of the first element that has not been written
   */
  public int writeRun(
      FieldSink sink, Object[] elements, int from, Class<?> type, long opening, int openingBytes)
      throws IOException {
    return from;
  }

  /**
   * Reads elements of an array by {@link #readNew}, as long as the type with this number comes
   * next.
   *
   * @param owner handle of the array
   * @return the index of the first element that has not been read
   */
  public int readRun(FieldSource source, int number, Object[] elements, int from, int owner)
      throws IOException {
    return from;
  }
}

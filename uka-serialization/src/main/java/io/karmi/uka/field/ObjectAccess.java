package io.karmi.uka.field;

import io.karmi.uka.platform.SunUnsafe;
import java.io.IOException;
import java.io.InvalidClassException;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads whole objects of one class, whichever code it is that moves their fields: {@link
 * FieldAccess}, or the class's own ({@code AwareAccess}).
 *
 * <p>Thread-safe: it has no state of its own.
 */
public abstract class ObjectAccess {
  /** In an opening: whole numbers may be narrower than their type. */
  public static final long NARROWABLE = Long.MIN_VALUE;

  /** For hidden classes, which may live in other packages. */
  protected ObjectAccess() {}

  /** An instance of a class, without any constructor. */
  static Object allocate(Class<?> type) throws InvalidClassException {
    try {
      return SunUnsafe.allocate(type);
    } catch (InstantiationException e) {
      throw new InvalidClassException(type.getName(), "unable to create instance");
    }
  }

  /**
   * Whether a better access is to take its place; until then this one must not be kept for long.
   */
  public boolean isProvisional() {
    return false;
  }

  /**
   * Writes an object: what stands before its fields, and then all fields.
   *
   * @param opening the first {@code openingBytes} bytes, the lowest first; with {@link #NARROWABLE}
   *     it is one byte, to which the ordinal of a {@link NumberWidth} may be added, and the numbers
   *     be of that width
   */
  public abstract void write(FieldSink sink, Object object, long opening, int openingBytes)
      throws IOException;

  /**
   * Makes an object of the class and reads its fields.
   *
   * @return the object; null if it is of no use
   */
  public abstract @Nullable Object readNew(FieldSource source) throws IOException;

  /**
   * Writes elements of an array, as long as they are objects of one class, and no hook has to see
   * them.
   *
   * @param type that class: the one that is served, or one without fields of its own
   * @param opening as in {@link #write}, the same for all
   * @return the index of the first element that has not been written
   */
  public int writeRun(
      FieldSink sink, Object[] elements, int from, Class<?> type, long opening, int openingBytes)
      throws IOException {
    return from;
  }

  /**
   * Reads elements of an array, as long as the type with this number, that of the class, comes
   * next: {@link #readNew} again and again.
   *
   * @param owner handle of the array
   * @return the index of the first element that has not been read
   */
  public int readRun(FieldSource source, int number, Object[] elements, int from, int owner)
      throws IOException {
    return from;
  }
}

package io.karmi.uka.platform;

import java.lang.reflect.Field;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Methods of one of the JDK's two Unsafe classes, by which values are got and put at an offset in
 * an object.
 *
 * <p>Thread-safe.
 */
public abstract class UnsafeMethods {
  UnsafeMethods() {}

  /**
   * {@code jdk.internal.misc.Unsafe}.
   *
   * @throws IllegalAccessException where it is not exported to this library
   */
  public static UnsafeMethods internal() throws IllegalAccessException {
    if (!InternalVm.isOpen()) {
      throw new IllegalAccessException("jdk.internal.misc is not exported to this library");
    }
    return InternalUnsafe.METHODS;
  }

  /**
   * {@code sun.misc.Unsafe}.
   *
   * @throws IllegalAccessException where the JDK warns of its use
   */
  public static UnsafeMethods supported() throws IllegalAccessException {
    if (!SunUnsafe.isSilent()) {
      throw new IllegalAccessException("this JDK warns about it");
    }
    if (!SunUnsafe.isThere()) {
      throw new IllegalAccessException("this Java runtime lacks the module jdk.unsupported");
    }
    return SunUnsafeMethods.METHODS;
  }

  /** The methods of the first class that is accessible; null if none is. */
  public static @Nullable UnsafeMethods any() {
    return InternalVm.isOpen()
        ? InternalUnsafe.METHODS
        : SunUnsafe.isSilent() ? SunUnsafeMethods.METHODS : null;
  }

  /** A new instance of a class, without a constructor. */
  public static Object allocate(Class<?> type) throws InstantiationException {
    return InternalVm.isOpen() ? InternalUnsafe.newInstance(type) : SunUnsafe.allocate(type);
  }

  /** The object whose methods these are. */
  public abstract Object unsafe();

  /** Whether the class is {@code jdk.internal.misc.Unsafe}, whose instance is public. */
  public abstract boolean isInternal();

  /** In the names of methods for references. */
  public final String referenceSuffix() {
    return isInternal() ? "Reference" : "Object";
  }

  /**
   * Offset of a field in its object, in bytes.
   *
   * @throws IllegalAccessException if it has none, or may hold an object of a value class in place
   *     of a reference
   */
  public final long offset(Field field) throws IllegalAccessException {
    if (StrictFields.isValue(field.getType())) {
      throw new IllegalAccessException(field + ": may hold no reference, but the value itself");
    }
    try {
      return offsetOf(field);
    } catch (UnsupportedOperationException e) {
      throw new IllegalAccessException(field + ": " + e.getMessage());
    }
  }

  /** The bits of a primitive with this type code; those above its width do not matter. */
  public final long get(Object object, long offset, char code) {
    Objects.requireNonNull(object);
    return switch (TypeCode.sizeOf(code)) {
      case Byte.BYTES -> getByte(object, offset);
      case Short.BYTES -> getShort(object, offset);
      case Integer.BYTES -> getInt(object, offset);
      default -> getLong(object, offset);
    };
  }

  /** Sets a primitive with this type code; the bits above its width do not matter. */
  public final void put(Object object, long offset, char code, long bits) {
    Objects.requireNonNull(object);
    switch (TypeCode.sizeOf(code)) {
      case Byte.BYTES -> putByte(object, offset, (byte) bits);
      case Short.BYTES -> putShort(object, offset, (short) bits);
      case Integer.BYTES -> putInt(object, offset, (int) bits);
      default -> putLong(object, offset, bits);
    }
  }

  /** The reference at an offset. */
  public final @Nullable Object getReference(Object object, long offset) {
    Objects.requireNonNull(object);
    return reference(object, offset);
  }

  /** Sets the reference at an offset. */
  public final void putReference(Object object, long offset, @Nullable Object value) {
    Objects.requireNonNull(object);
    setReference(object, offset, value);
  }

  /** What a method handle threw that declares anything, and throws what is no checked exception. */
  static RuntimeException unexpected(Throwable problem) {
    if (problem instanceof Error error) {
      throw error;
    }
    return problem instanceof RuntimeException known
        ? known
        : new IllegalStateException("a private field or a method of Unsafe failed", problem);
  }

  /* With null as their object, the methods below crash the JVM. */

  abstract long offsetOf(Field field);

  abstract byte getByte(Object object, long offset);

  abstract short getShort(Object object, long offset);

  abstract int getInt(Object object, long offset);

  abstract long getLong(Object object, long offset);

  abstract void putByte(Object object, long offset, byte value);

  abstract void putShort(Object object, long offset, short value);

  abstract void putInt(Object object, long offset, int value);

  abstract void putLong(Object object, long offset, long value);

  abstract @Nullable Object reference(Object object, long offset);

  abstract void setReference(Object object, long offset, @Nullable Object value);
}

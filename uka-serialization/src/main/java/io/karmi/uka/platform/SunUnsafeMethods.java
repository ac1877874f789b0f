package io.karmi.uka.platform;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/**
 * Methods of {@code sun.misc.Unsafe}, called by method handles, as the compiler would warn. Used
 * where {@link SunUnsafe#isSilent}.
 */
final class SunUnsafeMethods extends UnsafeMethods {
  private static final MethodHandle OFFSET =
      find("objectFieldOffset", MethodType.methodType(long.class, Field.class));
  private static final MethodHandle GET_BYTE = getter("getByte", byte.class);
  private static final MethodHandle GET_INT = getter("getInt", int.class);
  private static final MethodHandle GET_REFERENCE = getter("getObject", Object.class);

  static final SunUnsafeMethods METHODS = new SunUnsafeMethods();

  /** Getters that strings do not need. */
  private static final class Getters {
    static final MethodHandle SHORT = getter("getShort", short.class);
    static final MethodHandle LONG = getter("getLong", long.class);
  }

  private static final class Putters {
    static final MethodHandle BYTE = putter("putByte", byte.class);
    static final MethodHandle SHORT = putter("putShort", short.class);
    static final MethodHandle INT = putter("putInt", int.class);
    static final MethodHandle LONG = putter("putLong", long.class);
    static final MethodHandle REFERENCE = putter("putObject", Object.class);
  }

  private SunUnsafeMethods() {}

  @Override
  public Object unsafe() {
    return SunUnsafe.INSTANCE;
  }

  @Override
  public boolean isInternal() {
    return false;
  }

  @Override
  long offsetOf(Field field) {
    try {
      return (long) OFFSET.invokeExact(field);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  @Nullable Object reference(Object object, long offset) {
    try {
      return (Object) GET_REFERENCE.invokeExact(object, offset);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  byte getByte(Object object, long offset) {
    try {
      return (byte) GET_BYTE.invokeExact(object, offset);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  short getShort(Object object, long offset) {
    try {
      return (short) Getters.SHORT.invokeExact(object, offset);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  int getInt(Object object, long offset) {
    try {
      return (int) GET_INT.invokeExact(object, offset);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  long getLong(Object object, long offset) {
    try {
      return (long) Getters.LONG.invokeExact(object, offset);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  void setReference(Object object, long offset, @Nullable Object value) {
    try {
      Putters.REFERENCE.invokeExact(object, offset, value);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  void putByte(Object object, long offset, byte value) {
    try {
      Putters.BYTE.invokeExact(object, offset, value);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  void putShort(Object object, long offset, short value) {
    try {
      Putters.SHORT.invokeExact(object, offset, value);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  void putInt(Object object, long offset, int value) {
    try {
      Putters.INT.invokeExact(object, offset, value);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  @Override
  void putLong(Object object, long offset, long value) {
    try {
      Putters.LONG.invokeExact(object, offset, value);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static MethodHandle getter(String name, Class<?> type) {
    return find(name, MethodType.methodType(type, Object.class, long.class));
  }

  private static MethodHandle putter(String name, Class<?> type) {
    return find(name, MethodType.methodType(void.class, Object.class, long.class, type));
  }

  private static MethodHandle find(String name, MethodType type) {
    return Permitted.isNeeded()
        ? Permitted.get(() -> SunUnsafe.handle(name, type))
        : SunUnsafe.handle(name, type);
  }
}

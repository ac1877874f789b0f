package io.karmi.uka.platform;

import java.lang.reflect.Field;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * Methods of {@code jdk.internal.misc.Unsafe}, called as they are: method handles of them would
 * take tens of milliseconds before a JVM's first object. Used where {@link InternalVm#isOpen}.
 */
final class InternalUnsafe extends UnsafeMethods {
  private static final Unsafe UNSAFE = Unsafe.getUnsafe();

  static final InternalUnsafe METHODS = new InternalUnsafe();

  private InternalUnsafe() {}

  static Object newInstance(Class<?> type) throws InstantiationException {
    return UNSAFE.allocateInstance(type);
  }

  @Override
  public Object unsafe() {
    return UNSAFE;
  }

  @Override
  public boolean isInternal() {
    return true;
  }

  @Override
  long offsetOf(Field field) {
    return UNSAFE.objectFieldOffset(field);
  }

  @Override
  @Nullable Object reference(Object object, long offset) {
    return UNSAFE.getReference(object, offset);
  }

  @Override
  byte getByte(Object object, long offset) {
    return UNSAFE.getByte(object, offset);
  }

  @Override
  short getShort(Object object, long offset) {
    return UNSAFE.getShort(object, offset);
  }

  @Override
  int getInt(Object object, long offset) {
    return UNSAFE.getInt(object, offset);
  }

  @Override
  long getLong(Object object, long offset) {
    return UNSAFE.getLong(object, offset);
  }

  @Override
  void setReference(Object object, long offset, @Nullable Object value) {
    UNSAFE.putReference(object, offset, value);
  }

  @Override
  void putByte(Object object, long offset, byte value) {
    UNSAFE.putByte(object, offset, value);
  }

  @Override
  void putShort(Object object, long offset, short value) {
    UNSAFE.putShort(object, offset, value);
  }

  @Override
  void putInt(Object object, long offset, int value) {
    UNSAFE.putInt(object, offset, value);
  }

  @Override
  void putLong(Object object, long offset, long value) {
    UNSAFE.putLong(object, offset, value);
  }
}

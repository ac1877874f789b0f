package io.karmi.uka.platform;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/**
 * A private field of a class of {@code java.lang}, read by Unsafe or, where that is not accessible,
 * by a method handle. A record, as the JIT takes the components of a constant one for constants.
 *
 * @param unsafe null if a handle is used
 * @param offset of the field in an object, in bytes; 0 if a handle is used
 * @param handle of type {@code (Object)T}, where T is the field's type if primitive, else {@code
 *     Object}; null if Unsafe is used
 */
record PrivateField(@Nullable UnsafeMethods unsafe, long offset, @Nullable MethodHandle handle) {

  /**
   * A field.
   *
   * @return null if it is not accessible, or is not there
   */
  static @Nullable PrivateField of(Class<?> owner, String name) {
    return Permitted.isNeeded() ? Permitted.get(() -> find(owner, name)) : find(owner, name);
  }

  private static @Nullable PrivateField find(Class<?> owner, String name) {
    try {
      Field field = owner.getDeclaredField(name);
      UnsafeMethods unsafe = UnsafeMethods.any();
      if (unsafe != null) {
        return new PrivateField(unsafe, unsafe.offset(field), null);
      }
      Class<?> result = field.getType().isPrimitive() ? field.getType() : Object.class;
      MethodHandle getter =
          MethodHandles.privateLookupIn(owner, MethodHandles.lookup())
              .unreflectGetter(field)
              .asType(MethodType.methodType(result, Object.class));
      return new PrivateField(null, 0, getter);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  /* The object is one of the field's class, not null, in all of them. */

  @SuppressWarnings("NullAway") // without Unsafe there is a handle
  byte getByte(Object object) {
    try {
      return unsafe != null ? unsafe.getByte(object, offset) : (byte) handle.invokeExact(object);
    } catch (Throwable e) {
      throw UnsafeMethods.unexpected(e);
    }
  }

  @SuppressWarnings("NullAway") // without Unsafe there is a handle
  int getInt(Object object) {
    try {
      return unsafe != null ? unsafe.getInt(object, offset) : (int) handle.invokeExact(object);
    } catch (Throwable e) {
      throw UnsafeMethods.unexpected(e);
    }
  }

  @SuppressWarnings("NullAway") // without Unsafe there is a handle
  @Nullable Object getReference(Object object) {
    try {
      return unsafe != null
          ? unsafe.getReference(object, offset)
          : (Object) handle.invokeExact(object);
    } catch (Throwable e) {
      throw UnsafeMethods.unexpected(e);
    }
  }
}

package io.karmi.uka.platform;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/**
 * Classes whose fields are set before the constructor of the superclass runs, and never later:
 * value classes, and others with fields that the class file calls strictly initialized. An object
 * of such a class is made by its constructor, or not at all.
 *
 * <p>JVMs have them as a preview from JDK 28 on, boxes and most of {@code java.time} among them.
 */
public final class StrictFields {
  /** {@code ACC_STRICT_INIT} of a field. */
  private static final int STRICT = 0x0800;

  /** {@code Class.isValue()}; null where this JVM has no value classes. */
  private static final @Nullable MethodHandle IS_VALUE = isValue();

  private StrictFields() {}

  /** Whether the class, without its superclasses, is one. */
  public static boolean areIn(Class<?> type) {
    if (IS_VALUE == null) {
      return false;
    }
    if (isValue(type)) {
      return true;
    }
    for (Field field : type.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers()) && (field.getModifiers() & STRICT) != 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether objects of this very class are values: a field of this type may hold their fields where
   * others have a reference.
   */
  static boolean isValue(Class<?> type) {
    return IS_VALUE != null && isValue(IS_VALUE, type) && !Modifier.isAbstract(type.getModifiers());
  }

  private static @Nullable MethodHandle isValue() {
    try {
      MethodHandle isValue =
          MethodHandles.publicLookup()
              .findVirtual(Class.class, "isValue", MethodType.methodType(boolean.class));
      return isValue(isValue, Integer.class) ? isValue : null;
    } catch (NoSuchMethodException | IllegalAccessException e) {
      return null;
    }
  }

  private static boolean isValue(MethodHandle isValue, Class<?> type) {
    try {
      return (boolean) isValue.invokeExact(type);
    } catch (Throwable e) {
      throw new IllegalStateException("cannot ask whether a class is one of values", e);
    }
  }
}

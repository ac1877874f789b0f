package io.karmi.uka.codegen;

import io.karmi.uka.platform.TypeCode;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/** Properties of the serialized fields of a class. */
public final class SerializedFields {
  private SerializedFields() {}

  private static boolean isSerialized(Field field) {
    return (field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0;
  }

  /** Whether a serialized field is a reference. */
  public static boolean refer(Class<?> type) {
    for (Class<?> level = type; level != null; level = level.getSuperclass()) {
      for (Field field : level.getDeclaredFields()) {
        if (isSerialized(field) && !field.getType().isPrimitive()) {
          return true;
        }
      }
    }
    return false;
  }

  /** Size of all serialized primitive fields, with those of superclasses, in bytes. */
  public static int primitiveBytes(Class<?> type) {
    int sum = 0;
    for (Class<?> level = type; level != null; level = level.getSuperclass()) {
      for (Field field : level.getDeclaredFields()) {
        if (isSerialized(field)) {
          sum += TypeCode.sizeOf(TypeCode.of(field.getType()));
        }
      }
    }
    return sum;
  }
}

package io.karmi.uka.type;

import java.io.ObjectStreamField;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The one mistake in {@code serialPersistentFields} that is an error, which the JDK's descriptor
 * hides.
 */
final class PersistentFields {
  private static final int REQUIRED = Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL;

  private PersistentFields() {}

  /**
   * The error of the declaration, in the JDK's words, or null. Called only where the JDK shows no
   * fields.
   */
  static @Nullable String error(Class<?> type) {
    Set<String> names = new HashSet<>();
    for (ObjectStreamField field : declared(type)) {
      if (!names.add(field.getName())) {
        return "multiple serializable fields named " + field.getName();
      }
    }
    return null;
  }

  private static ObjectStreamField[] declared(Class<?> type) {
    try {
      Field field = type.getDeclaredField("serialPersistentFields");
      if ((field.getModifiers() & REQUIRED) == REQUIRED) {
        field.setAccessible(true);
        if (field.get(null) instanceof ObjectStreamField[] fields) {
          return fields;
        }
      }
    } catch (NoSuchFieldException | IllegalAccessException | InaccessibleObjectException e) {
      /* Without access to the declaration the JDK's own view stands: no fields, no error. */
      return new ObjectStreamField[0];
    }
    return new ObjectStreamField[0];
  }
}

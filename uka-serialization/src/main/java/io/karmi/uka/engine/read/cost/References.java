package io.karmi.uka.engine.read.cost;

import io.karmi.uka.engine.LocalFields;
import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.type.LocalClass;
import java.io.InvalidClassException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The references of an object's serializable fields, and the elements of arrays among them. */
final class References {
  private References() {}

  static List<@Nullable Object> of(Object value) {
    List<@Nullable Object> all = new ArrayList<>();
    for (LocalClass level = LocalClass.of(value.getClass());
        level != null;
        level = level.superclass) {
      try {
        FieldAccess access = LocalFields.of(level).access(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < access.references(); i++) {
          addReference(all, access.getReference(value, i));
        }
      } catch (InvalidClassException e) {
        /* Its fields cannot be reached, so no stream has set them either. */
      }
    }
    return all;
  }

  private static void addReference(List<@Nullable Object> all, @Nullable Object reference) {
    if (reference instanceof Object[] array) {
      all.addAll(Arrays.asList(array));
    } else {
      all.add(reference);
    }
  }
}

package io.karmi.uka.engine.write;

import io.karmi.uka.engine.LocalFields;
import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.InvalidClassException;
import org.jspecify.annotations.Nullable;

/** Default writing of the fields of one class of an object's hierarchy. */
public final class FieldsWriter {
  private static final Object[] NONE = {};

  private FieldsWriter() {}

  /** Writes all fields. */
  public static void writeFields(WriteContext out, Object object, LocalClass level)
      throws IOException {
    checkFields(object, level);
    LocalFields fields = LocalFields.of(level);
    if (fields.isEmpty()) {
      return;
    }
    if (fields.hasUnshared() || out.path().isKept()) {
      writeReferences(out, level, writePrimitives(out, object, level));
    } else {
      fields.access(out.format().order()).write(out, object);
    }
  }

  /** Writes references of a class, each shared or not as the class declares. */
  public static void writeReferences(
      WriteContext out, LocalClass level, @Nullable Object[] references) throws IOException {
    int first = level.description().firstReference();
    for (int i = 0; i < references.length; i++) {
      out.path().enterField(level, first + i);
      if (level.isUnshared(first + i)) {
        out.writeUnsharedReference(references[i]);
      } else {
        out.writeReference(references[i]);
      }
      out.path().leave();
    }
  }

  private static void checkFields(Object object, LocalClass level) throws InvalidClassException {
    if (!level.type.isInstance(object)) {
      throw new ClassCastException();
    }
    level.checkDefaultSerializable();
  }

  /**
   * Writes the primitive fields of one class of the object's hierarchy, and returns its references.
   */
  public static @Nullable Object[] writePrimitives(
      WriteContext out, Object object, LocalClass level) throws IOException {
    checkFields(object, level);
    LocalFields fields = LocalFields.of(level);
    if (fields.isEmpty()) {
      return NONE;
    }
    FieldAccess access = fields.access(out.format().order());
    out.buffer.reserve(access.primitiveBytes());
    access.getPrimitives(object, out.buffer.bytes, out.buffer.position);
    out.buffer.position += access.primitiveBytes();
    if (access.references() == 0) {
      return NONE;
    }
    Object[] references = new Object[access.references()];
    access.getReferences(object, references);
    return references;
  }
}

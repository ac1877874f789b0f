package io.karmi.uka.engine.write;

import io.karmi.uka.engine.LocalFields;
import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.format.Token;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.InvalidClassException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Writes ordinary objects: everything but strings, arrays, enum constants and classes.
 *
 * <p>The data of an object is, for each serializable class of its hierarchy, superclass first: the
 * primitive fields as one block in canonical order and the format's byte order, then the references
 * in canonical order; or, for a class with a {@code writeObject} method, what that method writes
 * and {@code END_OF_BLOCKS}. <b>Every subclass writes these very bytes</b>, since the reader may
 * have another version of the class and take another path.
 */
public abstract class ObjectMarshaler extends Marshaler {
  private static final Object[] NONE = {};

  private final boolean serializable;

  /** The classes that objects have fields of, superclass first. */
  public final LocalClass[] levels;

  private final boolean plain;

  protected ObjectMarshaler(LocalClass type) {
    this(type, (type.isRecord || !type.isExternalizable) && hasDefaultFormOnly(type));
  }

  public ObjectMarshaler(LocalClass type, boolean plain) {
    super(type);
    levels = levels(type);
    serializable = isSerializable(type);
    this.plain = plain;
  }

  private static LocalClass[] levels(LocalClass type) {
    if (type.isRecord) {
      return new LocalClass[] {type};
    }
    Deque<LocalClass> levels = new ArrayDeque<>();
    for (LocalClass level = type; level != null; level = level.superclass) {
      levels.addFirst(level);
    }
    return levels.toArray(new LocalClass[0]);
  }

  @Override
  public final boolean isPlain() {
    return plain;
  }

  @Override
  public final DeepWriter.Half begin(ObjectWriter out, Object object, boolean unshared)
      throws IOException {
    if (!serializable) {
      type.checkSerializable();
    }
    out.open(Token.OBJECT, type, object, unshared);
    return new DeepWriter.Half(object, levels);
  }

  private static boolean isSerializable(LocalClass type) {
    try {
      type.checkSerializable();
      return true;
    } catch (InvalidClassException e) {
      return false;
    }
  }

  /**
   * Whether objects of the class are their fields and nothing else, in every class of the
   * hierarchy.
   */
  public static boolean hasDefaultFormOnly(LocalClass type) {
    for (LocalClass level = type; level != null; level = level.superclass) {
      if (level.hooks().hasWriteObject()
          || level.hooks().hasReadObject()
          || level.hooks().hasReadObjectNoData()
          || level.isProxy) {
        return false;
      }
    }
    return true;
  }

  @Override
  public final void write(ObjectWriter out, Object object, boolean unshared) throws IOException {
    if (!serializable) {
      type.checkSerializable();
    }
    out.open(Token.OBJECT, type, object, unshared);
    out.path().enterObject(object);
    marshal(out, object);
    out.path().leave();
  }

  @Override
  public final boolean isDirect() {
    return serializable && !isReplaceable();
  }

  @Override
  public final void writeKnown(ObjectWriter out, Object object, KnownClasses.Known known)
      throws IOException {
    known.writeOpening(out.buffer);
    marshal(out, object);
  }

  /** Writes the object's data. Its token, type and handle are there. */
  public abstract void marshal(ObjectWriter out, Object object) throws IOException;

  /** Writes the fields of one class of the object's hierarchy. */
  public static void writeFields(ObjectWriter out, Object object, LocalClass level)
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
      ObjectWriter out, LocalClass level, @Nullable Object[] references) throws IOException {
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
      ObjectWriter out, Object object, LocalClass level) throws IOException {
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

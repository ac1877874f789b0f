package io.karmi.uka.marshal;

import io.karmi.uka.format.Token;
import io.karmi.uka.marshal.access.FieldAccess;
import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.LocalClass;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidClassException;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes ordinary objects: everything but strings, arrays, enum constants and classes.
 *
 * <p>The data of an object is, for each serializable class of its hierarchy, superclass first: the primitive fields as one
 * block in canonical order and the format's byte order, then the references in canonical order; or, for a class with a
 * {@code writeObject} method, what that method writes and {@code END_OF_BLOCKS}. <b>Every subclass writes these very
 * bytes</b>, since the reader may have another version of the class and take another path.
 */
public abstract class ObjectMarshaler extends Marshaler {
  private static final Object[] NONE = {};
  private static final ClassValue<FieldAccess> LITTLE_ENDIAN = accesses(ByteOrder.LITTLE_ENDIAN);
  private static final ClassValue<FieldAccess> BIG_ENDIAN = accesses(ByteOrder.BIG_ENDIAN);

  /** The classes that objects have fields of, superclass first. */
  final LocalClass[] levels;

  private final boolean plain;

  protected ObjectMarshaler(LocalClass type) {
    super(type);
    levels = levels(type);
    plain = (type.isRecord || !type.isExternalizable) && hasDefaultFormOnly(type);
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
  final boolean isPlain() {
    return plain;
  }

  @Override
  final DeepWriter.Half begin(ObjectWriter out, Object object, boolean unshared)
      throws IOException {
    type.checkSerializable();
    out.open(Token.OBJECT, type, object, unshared);
    return new DeepWriter.Half(object, levels);
  }

  static ObjectMarshaler choose(LocalClass type) {
    if (type.isExternalizable && !type.isProxy && !type.isRecord) {
      return new External(type);
    }
    return SelfMarshalling.class.isAssignableFrom(type.type) && hasDefaultFormOnly(type)
        ? new Aware(type)
        : new General(type);
  }

  /** Whether objects of the class are their fields and nothing else, in every class of the hierarchy. */
  static boolean hasDefaultFormOnly(LocalClass type) {
    for (LocalClass level = type; level != null; level = level.superclass) {
      if (level.hooks().hasWriteObject() || level.hooks().hasReadObject()
          || level.hooks().hasReadObjectNoData() || level.isProxy) {
        return false;
      }
    }
    return true;
  }

  @Override
  final void write(ObjectWriter out, Object object, boolean unshared) throws IOException {
    type.checkSerializable();
    out.open(Token.OBJECT, type, object, unshared);
    marshal(out, object);
  }

  /** Writes the object's data. Its token, type and handle are there. */
  protected abstract void marshal(ObjectWriter out, Object object) throws IOException;

  /** Writes the fields of one class of the object's hierarchy. */
  static void writeFields(ObjectWriter out, Object object, LocalClass level) throws IOException {
    writeReferences(out, level, writePrimitives(out, object, level));
  }

  /** Writes the primitive fields of one class of the object's hierarchy, and returns its references. */
  static Object[] writePrimitives(ObjectWriter out, Object object, LocalClass level)
      throws IOException {
    if (!level.type.isInstance(object)) {
      throw new ClassCastException();
    }
    level.checkDefaultSerializable();
    ClassDescription description = level.description();
    if (description.fields.length == 0) {
      return NONE;
    }
    FieldAccess access = access(level, out.format().order());
    var buffer = out.buffer();
    buffer.reserve(description.primitiveBytes);
    access.getPrimitives(object, buffer.bytes, buffer.position);
    buffer.position += description.primitiveBytes;
    if (description.references == 0) {
      return NONE;
    }
    Object[] references = new Object[description.references];
    access.getReferences(object, references);
    return references;
  }

  static void writeReferences(ObjectWriter out, LocalClass level, Object[] references)
      throws IOException {
    int first = level.description().firstReference();
    for (int i = 0; i < references.length; i++) {
      if (level.isUnshared(first + i)) {
        out.writeUnsharedReference(references[i]);
      } else {
        out.writeReference(references[i]);
      }
    }
  }

  private static FieldAccess access(LocalClass level, ByteOrder order) {
    return (order == ByteOrder.LITTLE_ENDIAN ? LITTLE_ENDIAN : BIG_ENDIAN).get(level.type);
  }

  private static ClassValue<FieldAccess> accesses(ByteOrder order) {
    return new ClassValue<>() {
      @Override
      protected FieldAccess computeValue(Class<?> type) {
        try {
          return FieldAccess.of(type, LocalClass.of(type).fields(), order);
        } catch (InvalidClassException e) {
          throw new IllegalStateException("cannot reach the fields of " + type.getName(), e);
        }
      }
    };
  }

  /** The general path: any hierarchy, with or without methods of its own. */
  private static final class General extends ObjectMarshaler {
    General(LocalClass type) {
      super(type);
    }

    @Override
    protected void marshal(ObjectWriter out, Object object) throws IOException {
      for (LocalClass level : levels) {
        if (level.hooks().hasWriteObject()) {
          out.writeCustom(object, level);
        } else {
          writeFields(out, object, level);
        }
      }
    }
  }

  private static final class External extends ObjectMarshaler {
    External(LocalClass type) {
      super(type);
    }

    @Override
    protected void marshal(ObjectWriter out, Object object) throws IOException {
      out.writeExternal((Externalizable) object);
    }
  }

  /** Classes that write themselves (paper 3.7), in formats of the byte order they were written for. */
  private static final class Aware extends ObjectMarshaler {
    private final General general;

    Aware(LocalClass type) {
      super(type);
      general = new General(type);
    }

    @Override
    protected void marshal(ObjectWriter out, Object object) throws IOException {
      if (out.format().order() == ByteOrder.LITTLE_ENDIAN) {
        out.hooks.marshalAware(object);
      } else {
        general.marshal(out, object);
      }
    }
  }
}

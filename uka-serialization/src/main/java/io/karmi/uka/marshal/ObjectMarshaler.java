package io.karmi.uka.marshal;

import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.field.HierarchyAccess;
import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.format.Token;
import io.karmi.uka.type.LocalClass;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidClassException;
import java.nio.ByteOrder;
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
  final LocalClass[] levels;

  private final boolean plain;

  protected ObjectMarshaler(LocalClass type) {
    this(type, (type.isRecord || !type.isExternalizable) && hasDefaultFormOnly(type));
  }

  ObjectMarshaler(LocalClass type, boolean plain) {
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
  final boolean isPlain() {
    return plain;
  }

  @Override
  final DeepWriter.Half begin(ObjectWriter out, Object object, boolean unshared)
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

  static ObjectMarshaler choose(LocalClass type) {
    ObjectMarshaler ofJdk = type.type.getClassLoader() == null ? ofJdk(type) : null;
    if (ofJdk != null) {
      return ofJdk;
    }
    if (type.isExternalizable && !type.isProxy && !type.isRecord) {
      return new External(type);
    }
    return marshalsItself(type) ? new AwareMarshaler(type, byFields(type)) : byFields(type);
  }

  private static @Nullable ObjectMarshaler ofJdk(LocalClass type) {
    ObjectMarshaler box = BoxMarshaler.of(type);
    return box == null ? PlatformMarshaler.of(type) : box;
  }

  /** The marshaler that does without knowing anything about the class. */
  static ObjectMarshaler general(LocalClass type) {
    return new General(type);
  }

  private static ObjectMarshaler byFields(LocalClass type) {
    return Plain.canWrite(type) ? new Plain(type) : new General(type);
  }

  /** Whether objects of the class are written and read by the class itself (paper 3.7). */
  static boolean marshalsItself(LocalClass type) {
    return !FailurePath.IS_KEPT
        && SelfMarshalling.class.isAssignableFrom(type.type)
        && hasDefaultFormOnly(type);
  }

  /**
   * Whether objects of the class are their fields and nothing else, in every class of the
   * hierarchy.
   */
  private static boolean hasDefaultFormOnly(LocalClass type) {
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
  final void write(ObjectWriter out, Object object, boolean unshared) throws IOException {
    if (!serializable) {
      type.checkSerializable();
    }
    out.open(Token.OBJECT, type, object, unshared);
    if (FailurePath.IS_KEPT) {
      out.path().enterObject(object);
      marshal(out, object);
      out.path().leave();
    } else {
      marshal(out, object);
    }
  }

  @Override
  final boolean isDirect() {
    return serializable && !isReplaceable();
  }

  @Override
  final void writeKnown(ObjectWriter out, Object object, KnownClasses.Known known)
      throws IOException {
    known.writeOpening(out.buffer);
    marshal(out, object);
  }

  /** Writes the object's data. Its token, type and handle are there. */
  protected abstract void marshal(ObjectWriter out, Object object) throws IOException;

  /** Writes the fields of one class of the object's hierarchy. */
  static void writeFields(ObjectWriter out, Object object, LocalClass level) throws IOException {
    checkFields(object, level);
    LocalFields.of(level).write(out, object);
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
  static @Nullable Object[] writePrimitives(ObjectWriter out, Object object, LocalClass level)
      throws IOException {
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

  /** The general path: any hierarchy, with or without methods of its own. */
  private static final class General extends ObjectMarshaler {
    General(LocalClass type) {
      super(type);
    }

    @Override
    protected void marshal(ObjectWriter out, Object object) throws IOException {
      for (LocalClass level : levels) {
        if (level.hooks().hasWriteObject()) {
          out.callbacks().writeCustom(object, level);
        } else {
          writeFields(out, object, level);
        }
      }
    }
  }

  /**
   * Objects that are their fields and nothing else: no class of the hierarchy has a say in writing.
   */
  private static final class Plain extends ObjectMarshaler {
    /** Of the classes that have fields, topmost first. */
    private final LocalFields[] fields;

    private volatile @Nullable ObjectAccess littleEndian;
    private volatile @Nullable ObjectAccess bigEndian;

    Plain(LocalClass type) {
      super(type);
      Deque<LocalFields> withFields = new ArrayDeque<>();
      for (LocalClass level : levels) {
        if (!LocalFields.of(level).isEmpty()) {
          withFields.add(LocalFields.of(level));
        }
      }
      fields = withFields.toArray(new LocalFields[0]);
    }

    static boolean canWrite(LocalClass type) {
      if (FailurePath.IS_KEPT) {
        return false;
      }
      for (LocalClass level = type; level != null; level = level.superclass) {
        if (level.hooks().hasWriteObject() || LocalFields.of(level).hasUnshared()) {
          return false;
        }
        try {
          level.checkDefaultSerializable();
        } catch (InvalidClassException e) {
          return false;
        }
      }
      return true;
    }

    @Override
    protected void marshal(ObjectWriter out, Object object) throws IOException {
      ObjectAccess access = out.isLittleEndian() ? littleEndian : bigEndian;
      if (access == null) {
        marshalFirst(out, object);
      } else {
        access.write(out, object, 0, 0);
      }
    }

    /* Apart, so that the JIT hears nothing of provisional accesses where the others are used. */
    private void marshalFirst(ObjectWriter out, Object object) throws IOException {
      if (fields.length > 0) {
        open(out.isLittleEndian()).write(out, object, 0, 0);
      }
    }

    @Override
    boolean hasNumbers() {
      return fields.length == 1 && fields[0].hasNumbers();
    }

    @Override
    @Nullable ObjectAccess fields(ByteOrder order) {
      return order == ByteOrder.LITTLE_ENDIAN ? littleEndian : bigEndian;
    }

    @Override
    boolean mayHaveFieldsOnly() {
      return fields.length > 0;
    }

    @Override
    @Nullable ObjectAccess openFields(ObjectWriter out) throws InvalidClassException {
      return mayHaveFieldsOnly() ? open(out.isLittleEndian()) : null;
    }

    private ObjectAccess open(boolean little) throws InvalidClassException {
      FieldAccess[] accesses = new FieldAccess[fields.length];
      for (int i = 0; i < accesses.length; i++) {
        accesses[i] = fields[i].access(little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
      }
      ObjectAccess access =
          accesses.length == 1 ? accesses[0] : new HierarchyAccess(type.type, accesses);
      if (access.isProvisional()) {
        return access;
      }
      if (little) {
        littleEndian = access;
      } else {
        bigEndian = access;
      }
      return access;
    }
  }

  private static final class External extends ObjectMarshaler {
    External(LocalClass type) {
      super(type);
    }

    @Override
    protected void marshal(ObjectWriter out, Object object) throws IOException {
      out.callbacks().writeExternal((Externalizable) object);
    }
  }
}

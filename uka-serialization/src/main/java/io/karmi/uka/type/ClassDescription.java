package io.karmi.uka.type;

import java.io.InvalidClassException;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import org.jspecify.annotations.Nullable;

/**
 * Description of one class in a stream: name, version, kind, and the fields that it declares; the
 * content of a {@link java.io.ObjectStreamClass}, with its hidden flags. Immutable; callers do not
 * change the arrays.
 */
public final class ClassDescription {
  private static final FieldDescription[] NO_FIELDS = {};

  /** As {@link Class#getName}. */
  public final String name;

  public final long serialVersionUid;

  /** Bits {@code SC_*} of {@link ObjectStreamConstants}. */
  public final int flags;

  /** Primitives first, then references. */
  public final FieldDescription[] fields;

  /**
   * Offset of each primitive in the block of primitives, in bytes; index of each reference among
   * references.
   */
  public final int[] offsets;

  /** Size of the block of primitives. */
  public final int primitiveBytes;

  public final int references;

  /** Cache: a description of the same layout. A race costs a comparison. */
  private @Nullable ClassDescription twin;

  /** Cache of a wire format for the encoded description; thread-safe. */
  public @Nullable Object encoded;

  /** As {@link #encoded}, for the UKA format. */
  public @Nullable Object encodedInUka;

  /**
   * Cache of {@link StreamClasses#shared}; volatile, as the JDK's class has fields that are not
   * final.
   */
  volatile @Nullable ObjectStreamClass unbound;

  /**
   * Description of parts that have been checked.
   *
   * @throws InvalidClassException if flags contradict each other or a primitive follows a reference
   */
  public ClassDescription(String name, long serialVersionUid, int flags, FieldDescription[] fields)
      throws InvalidClassException {
    this.name = name;
    this.serialVersionUid = serialVersionUid;
    this.flags = flags;
    this.fields = fields.length == 0 ? NO_FIELDS : fields;
    offsets = new int[fields.length];
    checkFlags();
    int bytes = 0;
    int objects = 0;
    for (int i = 0; i < fields.length; i++) {
      if (fields[i].isPrimitive()) {
        if (objects > 0) {
          throw new InvalidClassException(name, "illegal field order");
        }
        offsets[i] = bytes;
        bytes += fields[i].lengthBytes();
      } else {
        offsets[i] = objects++;
      }
    }
    primitiveBytes = bytes;
    references = objects;
  }

  private void checkFlags() throws InvalidClassException {
    if (isExternalizable() && has(ObjectStreamConstants.SC_SERIALIZABLE)) {
      throw new InvalidClassException(name, "serializable and externalizable flags conflict");
    }
    if (isEnum() && serialVersionUid != 0) {
      throw new InvalidClassException(
          name, "enum descriptor has non-zero serialVersionUID: " + serialVersionUid);
    }
    if (isEnum() && fields.length != 0) {
      throw new InvalidClassException(
          name, "enum descriptor has non-zero field count: " + fields.length);
    }
  }

  public boolean isSerializable() {
    return has(ObjectStreamConstants.SC_SERIALIZABLE) || isExternalizable();
  }

  public boolean isExternalizable() {
    return has(ObjectStreamConstants.SC_EXTERNALIZABLE);
  }

  public boolean isEnum() {
    return has(ObjectStreamConstants.SC_ENUM);
  }

  /** Whether the writer's class had a {@code writeObject} method, whose data follows the fields. */
  public boolean hasWriteMethod() {
    return has(ObjectStreamConstants.SC_WRITE_METHOD);
  }

  /** Whether the data of an externalizable object is in blocks, so that a reader can skip it. */
  public boolean hasBlockData() {
    return has(ObjectStreamConstants.SC_BLOCK_DATA);
  }

  /** Index of the first reference in {@link #fields}. */
  public int firstReference() {
    return fields.length - references;
  }

  /** Whether an object of one is laid out exactly as an object of the other. */
  public boolean sameLayout(ClassDescription other) {
    if (this == other || twin == other) {
      return true;
    }
    if (flags != other.flags || fields.length != other.fields.length || !name.equals(other.name)) {
      return false;
    }
    for (int i = 0; i < fields.length; i++) {
      if (!fields[i].equals(other.fields[i])) {
        return false;
      }
    }
    twin = other;
    return true;
  }

  private boolean has(int flag) {
    return (flags & flag) != 0;
  }
}

package io.karmi.uka.type;

import java.io.InvalidClassException;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import org.jspecify.annotations.Nullable;

/**
 * What a stream says about one class: name, version, kind, and the fields of that one level of its
 * hierarchy.
 *
 * <p>It has the content of a {@link java.io.ObjectStreamClass}, with the flags that one keeps to
 * itself. Immutable; callers do not change the arrays.
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

  /** A description that has been found to be of the same layout; a race costs a comparison. */
  private @Nullable ClassDescription twin;

  /**
   * What a wire format keeps here so as not to encode the description each time; thread-safe, and
   * no part of it.
   */
  public @Nullable Object encoded;

  /** The same for the UKA format, so that a program may use both. */
  public @Nullable Object encodedInUka;

  /**
   * Kept by {@link StreamClasses#shared}; volatile because the JDK's class has fields that are not
   * final.
   */
  volatile @Nullable ObjectStreamClass unbound;

  /**
   * A description whose parts have been checked one by one, and which is checked here as a whole.
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

  /**
   * Whether the writer's class had a {@code writeObject} method, so that data of its own may follow
   * the fields.
   */
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

package io.karmi.uka.engine.write;

import io.karmi.uka.format.Token;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.InvalidClassException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Strategy of ordinary objects: all but strings, arrays, enum constants and classes.
 *
 * <p>The data of an object is, for each serializable class of its hierarchy, superclass first: the
 * primitive fields as one block in canonical order and the format's byte order, then the references
 * in canonical order; or, for a class with a {@code writeObject} method, what that method writes
 * and {@code END_OF_BLOCKS}. <b>Every subclass writes these bytes</b>, as the reader may have
 * another version of the class and take another path.
 */
public abstract class ObjectMarshaler extends Marshaler {
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
  public final @Nullable HalfWritten begin(ObjectWriter out, Object object, boolean unshared)
      throws IOException {
    if (!plain) {
      return null;
    }
    if (!serializable) {
      type.checkSerializable();
    }
    out.open(Token.OBJECT, type, object, unshared);
    return new HalfWritten(object, levels);
  }

  @Override
  public final void writeDeep(ObjectWriter out, Object object, boolean unshared)
      throws IOException {
    if (plain) {
      DeepWriter.write(out, this, object, unshared);
    } else {
      write(out, object, unshared);
    }
  }

  private static boolean isSerializable(LocalClass type) {
    try {
      type.checkSerializable();
      return true;
    } catch (InvalidClassException e) {
      return false;
    }
  }

  /** Whether objects are nothing but their fields, in every class of the hierarchy. */
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

  @Override
  public abstract void marshal(ObjectWriter out, Object object) throws IOException;
}

package io.karmi.uka.strategy;

import io.karmi.uka.engine.LocalFields;
import io.karmi.uka.engine.write.ObjectMarshaler;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.field.FieldAccess;
import io.karmi.uka.field.HierarchyAccess;
import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.InvalidClassException;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Writer of objects that are nothing but their fields, in every class of the hierarchy. */
public final class PlainMarshaler extends ObjectMarshaler {
  /** Fields of the classes that have any, topmost first. */
  private final LocalFields[] fields;

  private volatile @Nullable ObjectAccess littleEndian;
  private volatile @Nullable ObjectAccess bigEndian;

  public PlainMarshaler(LocalClass type) {
    super(type);
    Deque<LocalFields> withFields = new ArrayDeque<>();
    for (LocalClass level : levels) {
      if (!LocalFields.of(level).isEmpty()) {
        withFields.add(LocalFields.of(level));
      }
    }
    fields = withFields.toArray(new LocalFields[0]);
  }

  public static boolean canWrite(LocalClass type) {
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
  public void marshal(ObjectWriter out, Object object) throws IOException {
    ObjectAccess access = out.isLittleEndian() ? littleEndian : bigEndian;
    if (access == null) {
      marshalFirst(out, object);
    } else {
      access.write(out, object, 0, 0);
    }
  }

  /* Apart, so that provisional accesses do not enter the profile of the others. */
  private void marshalFirst(ObjectWriter out, Object object) throws IOException {
    if (fields.length > 0) {
      open(out.isLittleEndian()).write(out, object, 0, 0);
    }
  }

  @Override
  public boolean hasNumbers() {
    return fields.length == 1 && fields[0].hasNumbers();
  }

  @Override
  public @Nullable ObjectAccess fields(ByteOrder order) {
    return order == ByteOrder.LITTLE_ENDIAN ? littleEndian : bigEndian;
  }

  @Override
  public boolean mayHaveFieldsOnly() {
    return fields.length > 0;
  }

  @Override
  public @Nullable ObjectAccess openFields(ObjectWriter out) throws InvalidClassException {
    ObjectAccess settled = out.isLittleEndian() ? littleEndian : bigEndian;
    return settled != null || !mayHaveFieldsOnly() ? settled : open(out.isLittleEndian());
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

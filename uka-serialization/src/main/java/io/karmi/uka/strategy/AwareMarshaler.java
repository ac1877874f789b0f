package io.karmi.uka.strategy;

import io.karmi.uka.engine.write.ObjectMarshaler;
import io.karmi.uka.engine.write.ObjectWriter;
import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.io.InvalidClassException;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Writer of objects by their own marshalers (paper 3.7), which are little-endian. */
public final class AwareMarshaler extends ObjectMarshaler {
  private final ObjectMarshaler byFields;

  /** Whether a stream has been asked for {@link #access}. */
  private volatile boolean asked;

  private volatile @Nullable ObjectAccess access;

  public AwareMarshaler(LocalClass type, ObjectMarshaler byFields) {
    super(type);
    this.byFields = byFields;
  }

  @Override
  public void marshal(ObjectWriter out, Object object) throws IOException {
    ObjectAccess own = out.isLittleEndian() ? access(out) : null;
    if (own == null) {
      byFields.marshal(out, object);
    } else {
      own.write(out, object, 0, 0);
    }
  }

  private @Nullable ObjectAccess access(ObjectWriter out) {
    if (!asked) {
      access = out.hooks.awareAccess(type.type);
      asked = true;
    }
    return access;
  }

  @Override
  public boolean hasNumbers() {
    return byFields.hasNumbers();
  }

  @Override
  public boolean mayHaveFieldsOnly() {
    return true;
  }

  @Override
  public @Nullable ObjectAccess openFields(ObjectWriter out) throws InvalidClassException {
    ObjectAccess own = out.isLittleEndian() ? access(out) : null;
    return own == null ? byFields.openFields(out) : own;
  }

  @Override
  public @Nullable ObjectAccess fields(ByteOrder order) {
    ObjectAccess own = order == ByteOrder.LITTLE_ENDIAN ? access : null;
    return own == null ? byFields.fields(order) : own;
  }
}

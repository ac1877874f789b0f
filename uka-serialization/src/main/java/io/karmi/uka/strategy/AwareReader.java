package io.karmi.uka.strategy;

import io.karmi.uka.engine.read.DirectReader;
import io.karmi.uka.engine.read.HalfRead;
import io.karmi.uka.engine.read.ReadContext;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.Unmarshaler;
import io.karmi.uka.field.ObjectAccess;
import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Reader of objects by their own marshalers (paper 3.7), which are little-endian. Unshared objects
 * are read by fields, as their class would give them a shared handle.
 */
public final class AwareReader extends DirectReader {
  private final LocalClass local;
  private final Unmarshaler byFields;
  private boolean asked;

  public AwareReader(ReadType type, LocalClass local, Unmarshaler byFields) {
    super(type);
    this.local = local;
    this.byFields = byFields;
  }

  @Override
  public @Nullable Object unmarshal(ReadContext in, boolean unshared) throws IOException {
    if (!asked) {
      boolean ordered = in.format().order() == ByteOrder.LITTLE_ENDIAN;
      whole = ordered ? in.hooks.awareAccess(local.type) : null;
      asked = true;
    }
    ObjectAccess own = unshared ? null : whole;
    return own == null ? byFields.unmarshal(in, unshared) : own.readNew(in);
  }

  @Override
  public @Nullable Class<?> selfMade() {
    return whole == null ? null : type.type();
  }

  @Override
  public @Nullable HalfRead begin(ReadContext in, boolean unshared) throws IOException {
    return byFields.begin(in, unshared);
  }
}

package io.karmi.uka.engine.read;

import io.karmi.uka.field.ObjectAccess;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads objects that no method of a program takes part in, so that one call can read all of an
 * object where no hook has to see it.
 */
public abstract class DirectReader extends Unmarshaler {
  /** Makes whole objects; null as long as it is not known that something can. */
  public @Nullable ObjectAccess whole;

  public DirectReader(ReadType type) {
    super(type);
  }

  @Override
  public final @Nullable ObjectAccess whole() {
    return whole;
  }

  @Override
  public @Nullable Object readShared(ReadContext in) throws IOException {
    return whole == null ? super.readShared(in) : whole.readNew(in);
  }
}

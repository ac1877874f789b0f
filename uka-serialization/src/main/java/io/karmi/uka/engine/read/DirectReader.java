package io.karmi.uka.engine.read;

import io.karmi.uka.field.ObjectAccess;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reader of objects in which no method of a program takes part. Where no hook observes them, one
 * call reads a whole object.
 */
public abstract class DirectReader extends Unmarshaler {
  /** Reads whole objects in one call; null as long as none is known. */
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

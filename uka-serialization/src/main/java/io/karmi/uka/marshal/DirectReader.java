package io.karmi.uka.marshal;

import io.karmi.uka.field.ObjectAccess;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads objects that no method of a program takes part in, so that one call can read all of an
 * object where nobody has to see it.
 */
abstract class DirectReader extends Unmarshaler {
  /** Makes whole objects; null as long as it is not known that something can. */
  @Nullable ObjectAccess whole;

  DirectReader(ReadType type) {
    super(type);
  }

  @Override
  final @Nullable ObjectAccess whole() {
    return whole;
  }

  @Override
  @Nullable Object readShared(ObjectReader in) throws IOException {
    return whole == null ? super.readShared(in) : whole.readNew(in);
  }
}

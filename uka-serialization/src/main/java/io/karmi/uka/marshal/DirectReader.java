package io.karmi.uka.marshal;

import io.karmi.uka.marshal.access.ObjectAccess;
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

  /** Reads an object that need not be checked; its handle is the current one on return. */
  @Nullable Object readShared(ObjectReader in) throws IOException {
    return whole == null ? readStepwise(in) : whole.readNew(in);
  }

  /**
   * Reads elements of an array or collection, as long as objects of this type come next that need
   * not be checked.
   *
   * @param number of the type
   * @param to where the elements end
   * @return the index of the first element that has not been read; {@code from} too if elements are
   *     to be read one by one
   */
  int readRun(ObjectReader in, int number, Object[] elements, int from, int to) throws IOException {
    return from;
  }

  private @Nullable Object readStepwise(ObjectReader in) throws IOException {
    Object object = unmarshal(in, false);
    in.end(in.currentHandle());
    return object;
  }
}

package io.karmi.exchange;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Stands in a group for an object that came from another group: for the object that has a number in
 * that one's message. Its reader has that object in the place of this one.
 */
final class External implements Serializable {
  private static final long serialVersionUID = 1;

  /** A {@link Group}, as a claim. */
  private final @Nullable Object group;

  private final int number;
  private transient @Nullable Object object;

  External(Object group, int number) {
    this.group = group;
    this.number = number;
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    if (!(in instanceof RootInput root)) {
      throw new InvalidObjectException("an object of another group, outside of a group");
    }
    object = root.external(group, number);
  }

  private @Nullable Object readResolve() {
    return object;
  }
}

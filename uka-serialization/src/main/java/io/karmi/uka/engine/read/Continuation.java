package io.karmi.uka.engine.read;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reader of what follows a seam, where another stream has been appended. */
public interface Continuation {
  /** Reads one object on behalf of a program, as {@link MessageReader#readObject}. */
  @Nullable Object readObject(boolean unshared) throws IOException, ClassNotFoundException;

  /** The reader behind {@code readInt} and its like. */
  BlockReader blocks();
}

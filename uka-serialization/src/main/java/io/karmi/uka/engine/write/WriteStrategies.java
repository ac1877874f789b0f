package io.karmi.uka.engine.write;

import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Choice of how objects are written, made above the engine, which knows no class of the platform.
 */
public interface WriteStrategies {
  /** How objects of a class are written. */
  Marshaler marshaler(Class<?> type);

  /**
   * Writes the references that a {@code writeObject} method has set by {@code putFields}, if they
   * are not to be written one by one.
   *
   * @return false if nothing has been written
   */
  boolean writeReferences(ObjectWriter out, LocalClass level, @Nullable Object[] references)
      throws IOException;
}

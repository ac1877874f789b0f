package io.karmi.uka.engine.write;

import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An object or array some of whose references are still to be written. */
public final class HalfWritten {
  private final Object object;
  private final LocalClass[] levels;
  private int nextLevel;
  private @Nullable LocalClass level;
  private @Nullable Object[] references;
  private int nextReference;

  /** An object with the fields of these classes. */
  public HalfWritten(Object object, LocalClass[] levels) {
    this.object = object;
    this.levels = levels;
    references = new @Nullable Object[0];
  }

  /** An array. */
  public HalfWritten(@Nullable Object[] elements) {
    object = elements;
    levels = new LocalClass[0];
    references = elements;
  }

  /** Goes to the next reference and writes primitives before it; false if there is none. */
  public boolean advance(WriteContext out) throws IOException {
    while (nextReference == references.length) {
      if (nextLevel == levels.length) {
        return false;
      }
      level = levels[nextLevel++];
      references = FieldsWriter.writePrimitives(out, object, level);
      nextReference = 0;
    }
    return true;
  }

  /** Whether nothing is left, not even primitives. */
  public boolean isDone() {
    return nextReference == references.length && nextLevel == levels.length;
  }

  public boolean isNextUnshared() {
    return level != null && level.isUnshared(level.description().firstReference() + nextReference);
  }

  public @Nullable Object next() {
    return references[nextReference++];
  }
}

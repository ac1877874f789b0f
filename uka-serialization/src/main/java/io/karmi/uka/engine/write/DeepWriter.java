package io.karmi.uka.engine.write;

import io.karmi.uka.type.LocalClass;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Writer of graphs that are deeper than the thread's stack: below a certain depth plain objects and
 * arrays are written from a list of half-written ones, without recursion.
 *
 * <p>An object leaves the list before its last reference is written, so that a linked list takes
 * one entry. Objects with methods of their own recurse, as in the JDK's streams.
 */
public final class DeepWriter {
  private final ObjectWriter out;
  private final Deque<Half> halves = new ArrayDeque<>();

  private DeepWriter(ObjectWriter out) {
    this.out = out;
  }

  /** Writes an object or array, new to the message, whose marshaler {@link Marshaler#isPlain}. */
  public static void write(ObjectWriter out, Marshaler marshaler, Object object, boolean unshared)
      throws IOException {
    DeepWriter writer = new DeepWriter(out);
    writer.begin(marshaler, object, unshared);
    writer.run();
  }

  private void begin(Marshaler marshaler, Object object, boolean unshared) throws IOException {
    halves.push(marshaler.begin(out, object, unshared));
  }

  private void run() throws IOException {
    while (!halves.isEmpty()) {
      Half half = halves.peek();
      if (!half.advance(out)) {
        halves.pop();
        continue;
      }
      boolean unshared = half.isNextUnshared();
      Object value = out.replacements().prepare(half.next(), unshared);
      if (half.isDone()) {
        halves.pop();
      }
      if (value != null) {
        Marshaler marshaler = out.replacements().marshalerOf(value);
        if (marshaler.isPlain()) {
          begin(marshaler, value, unshared);
        } else {
          marshaler.write(out, value, unshared);
        }
      }
    }
  }

  /** An object or array some of whose references are still to be written. */
  public static final class Half {
    private final Object object;
    private final LocalClass[] levels;
    private int nextLevel;
    private @Nullable LocalClass level;
    private @Nullable Object[] references;
    private int nextReference;

    /** An object with the fields of these classes. */
    public Half(Object object, LocalClass[] levels) {
      this.object = object;
      this.levels = levels;
      references = new @Nullable Object[0];
    }

    /** An array. */
    public Half(@Nullable Object[] elements) {
      object = elements;
      levels = new LocalClass[0];
      references = elements;
    }

    /** Goes to the next reference and writes primitives before it; false if there is none. */
    public boolean advance(ObjectWriter out) throws IOException {
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
      return level != null
          && level.isUnshared(level.description().firstReference() + nextReference);
    }

    public @Nullable Object next() {
      return references[nextReference++];
    }
  }
}

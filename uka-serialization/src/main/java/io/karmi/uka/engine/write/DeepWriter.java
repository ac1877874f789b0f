package io.karmi.uka.engine.write;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writer of graphs that are deeper than the thread's stack: below a certain depth plain objects and
 * arrays are written from a list of half-written ones, without recursion.
 *
 * <p>An object leaves the list before its last reference is written, so that a linked list takes
 * one entry. Objects with methods of their own recurse, as in the JDK's streams.
 */
public final class DeepWriter {
  private final ObjectWriter out;
  private final Deque<HalfWritten> halves = new ArrayDeque<>();

  private DeepWriter(ObjectWriter out) {
    this.out = out;
  }

  /** Writes an object or array, new to the message. */
  public static void write(ObjectWriter out, Marshaler marshaler, Object object, boolean unshared)
      throws IOException {
    DeepWriter writer = new DeepWriter(out);
    writer.begin(marshaler, object, unshared);
    writer.run();
  }

  private void begin(Marshaler marshaler, Object object, boolean unshared) throws IOException {
    HalfWritten half = marshaler.begin(out, object, unshared);
    if (half == null) {
      marshaler.write(out, object, unshared);
    } else {
      halves.push(half);
    }
  }

  private void run() throws IOException {
    while (!halves.isEmpty()) {
      HalfWritten half = halves.peek();
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
        begin(out.replacements().marshalerOf(value), value, unshared);
      }
    }
  }
}

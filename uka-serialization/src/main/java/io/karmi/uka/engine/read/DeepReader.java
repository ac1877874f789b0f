package io.karmi.uka.engine.read;

import io.karmi.uka.format.Token;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Reads graphs that are deeper than the thread's stack: the counterpart of {@code DeepWriter}.
 *
 * <p>An object is half read until all it refers to has been read; only then are its fields set. So
 * a linked list has as many halves as it has elements, on the heap.
 */
public final class DeepReader {
  private final ObjectReader in;
  private final Deque<Half> halves = new ArrayDeque<>();

  private DeepReader(ObjectReader in) {
    this.in = in;
  }

  /** An object or array of which some references are still to be read. */
  public abstract static class Half {
    public final ReadType type;
    public final boolean unshared;
    public int handle;

    public Half(ReadType type, boolean unshared) {
      this.type = type;
      this.unshared = unshared;
    }

    /** Goes to the next reference, reading primitives on the way; false if there is none. */
    public abstract boolean advance(ObjectReader in) throws IOException;

    public abstract boolean isNextUnshared();

    /** Takes the value of the next reference, whose handle is the current one. */
    public abstract void accept(ObjectReader in, @Nullable Object value);

    /** Makes an object of what has been read. Its handle is the current one. */
    public abstract @Nullable Object complete(ObjectReader in) throws IOException;
  }

  /** Reads on from an object or array that has been begun, up to its completion. */
  public static @Nullable Object read(ObjectReader in, Half first) throws IOException {
    return new DeepReader(in).run(first);
  }

  private @Nullable Object run(Half first) throws IOException {
    push(first);
    for (; ; ) {
      Half half = halves.peek();
      in.setCurrentHandle(half.handle);
      if (half.advance(in)) {
        readNext(half);
        continue;
      }
      halves.pop();
      in.setCurrentHandle(half.handle);
      Object value = half.complete(in);
      if (halves.isEmpty()) {
        return value;
      }
      value = in.completion().resolve(in.completion().finish(half.type, value, half.unshared));
      in.leave();
      halves.peek().accept(in, value);
    }
  }

  private void push(Half half) {
    half.handle = in.currentHandle();
    halves.push(half);
  }

  private void readNext(Half half) throws IOException {
    boolean unshared = half.isNextUnshared();
    int token = in.enter();
    Half begun = null;
    Object value = null;
    if (token == Token.OBJECT) {
      in.format().skipToken();
      boolean ofAnyKind = in.format().isOfAnyKind();
      ReadType type = in.types().readRequired();
      begun = in.values().beginOf(type, unshared, ofAnyKind);
      if (begun == null) {
        value = in.completion().resolve(in.values().readOf(type, unshared, ofAnyKind));
      }
    } else if (token == Token.ARRAY) {
      in.format().skipToken();
      begun = in.values().beginArray(in.types().readRequired(), unshared);
    } else {
      value = in.values().read(token, unshared, false);
    }
    if (begun != null) {
      push(begun);
    } else {
      in.leave();
      half.accept(in, value);
    }
  }
}

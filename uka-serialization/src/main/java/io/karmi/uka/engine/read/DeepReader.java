package io.karmi.uka.engine.read;

import io.karmi.uka.format.Token;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Reader of graphs that are deeper than the thread's stack; {@code DeepWriter} is its counterpart.
 *
 * <p>An object is half read until all its references have been read; only then are its fields set.
 * The half-read objects, as many as a linked list has elements, are kept on the heap.
 */
final class DeepReader {
  private final ReadContext in;
  private final TypeReader types;
  private final ValueReader values;
  private final Completion completion;
  private final Deque<HalfRead> halves = new ArrayDeque<>();

  DeepReader(ReadContext in, TypeReader types, ValueReader values, Completion completion) {
    this.in = in;
    this.types = types;
    this.values = values;
    this.completion = completion;
  }

  /** Reads on from an object or array that has been begun, up to its completion. */
  @Nullable Object read(HalfRead first) throws IOException {
    push(first);
    for (; ; ) {
      HalfRead half = halves.peek();
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
      value = completion.resolve(completion.finish(half.type, value, half.unshared));
      in.leave();
      halves.peek().accept(in, value);
    }
  }

  private void push(HalfRead half) {
    half.handle = in.currentHandle();
    halves.push(half);
  }

  private void readNext(HalfRead half) throws IOException {
    boolean unshared = half.isNextUnshared();
    int token = in.enter();
    HalfRead begun = null;
    Object value = null;
    if (token == Token.OBJECT || token == Token.ARRAY) {
      in.format().skipToken();
      boolean ofAnyKind = in.format().isOfAnyKind();
      ReadType type = types.readRequired();
      boolean isArray = token == Token.ARRAY;
      begun =
          isArray ? values.beginArray(type, unshared) : values.beginOf(type, unshared, ofAnyKind);
      if (begun == null) {
        value =
            completion.resolve(
                isArray
                    ? values.readArray(type, unshared)
                    : values.readOf(type, unshared, ofAnyKind));
      }
    } else {
      value = values.read(token, unshared, false);
    }
    if (begun != null) {
      push(begun);
    } else {
      in.leave();
      half.accept(in, value);
    }
  }
}

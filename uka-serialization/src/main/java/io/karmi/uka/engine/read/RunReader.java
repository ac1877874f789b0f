package io.karmi.uka.engine.read;

import io.karmi.uka.format.Runs;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reader of runs of elements that refer to no others, where no hook observes them: of those that
 * have tokens, and of packed ones, which {@code RunWriter} has written; elsewhere the format
 * expands a run.
 */
final class RunReader {
  private RunReader() {}

  /**
   * Reads elements of an array or collection, as long as objects of this type come next.
   *
   * @param number of the type
   * @param to end of the elements
   * @return the index of the first element that has not been read
   */
  static int readLeaves(
      ReadContext in, Unmarshaler leaves, int number, Object[] elements, int from, int to)
      throws IOException {
    int next = from;
    while (next < to && in.takeIfNext(number)) {
      elements[next++] = leaves.readShared(in);
    }
    return next;
  }

  /** Reads a packed run, as {@link ReadContext#readPacked}. */
  static int read(ReadContext in, @Nullable Object[] elements, int from, int to, int owner)
      throws IOException {
    Runs runs = in.format().beginRun();
    LeafReader even = LeafReader.of(in, runs.type(0));
    LeafReader odd = runs.isOfPairs() ? LeafReader.of(in, runs.type(1)) : even;
    if (even == null
        || odd == null
        || even.runWidth() != runs.width(0)
        || odd.runWidth() != runs.width(runs.isOfPairs() ? 1 : 0)
        || runs.length() > to - from) {
      runs.expand(0);
      return from;
    }
    if (even == odd && !runs.isMasked()) {
      int end = from + runs.length();
      even.readAll(in, elements, from, end);
      in.handles().assignAllSettled(elements, from, end);
      return end;
    }
    int next = from;
    long open = in.claims().open;
    for (int i = 0; i < runs.length(); i++) {
      if (runs.hasToken(i)) {
        runs.checkToken();
        in.claims().open = open - i;
        elements[next++] = in.readReference(owner);
        if (in.isMarked()) {
          runs.expand(i + 1);
          break;
        }
      } else {
        elements[next++] = ((i & 1) == 0 ? even : odd).readShared(in);
      }
    }
    in.setCurrentHandle(owner);
    return next;
  }
}

package io.karmi.uka.marshal;

import io.karmi.uka.format.Runs;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads elements of collections that {@link RunWriter} has written together, where nobody has to
 * see them; elsewhere the format gives each its token back.
 */
final class RunReader {
  private final ObjectReader in;

  /** Null while somebody has it: a method of an element could read on. */
  private @Nullable Object @Nullable [] room;

  RunReader(ObjectReader in) {
    this.in = in;
  }

  /** Room for elements on their way into a collection. */
  @Nullable Object[] takeRoom() {
    @Nullable Object[] taken = room == null ? new @Nullable Object[Runs.MOST] : room;
    room = null;
    return taken;
  }

  /** Forgets what is in the room, and keeps it for others. */
  void giveRoom(@Nullable Object[] taken, int length) {
    Arrays.fill(taken, 0, length, null);
    room = taken;
  }

  /**
   * Reads all elements of the run that comes next.
   *
   * @param to where the collection's elements end
   * @return the index of the first element that has not been read; {@code from} if they have to be
   *     read one by one
   */
  int read(@Nullable Object[] elements, int from, int to, int owner) throws IOException {
    Runs runs = in.format().beginRun();
    BoxReader even = in.boxesOf(runs.type(0));
    BoxReader odd = runs.isOfPairs() ? in.boxesOf(runs.type(1)) : even;
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

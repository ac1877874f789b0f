package io.karmi.uka.engine.read;

import io.karmi.uka.format.Runs;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads elements of collections that {@code RunWriter} has written together, where no hook has to
 * see them; elsewhere the format gives each its token back.
 */
public final class RunReader {
  private final ObjectReader in;

  /** Null while it is in use: a method of an element could read on. */
  private @Nullable Object @Nullable [] room;

  public RunReader(ObjectReader in) {
    this.in = in;
  }

  /** Room for elements on their way into a collection. */
  public @Nullable Object[] takeRoom() {
    @Nullable Object[] taken = room == null ? new @Nullable Object[Runs.MOST] : room;
    room = null;
    return taken;
  }

  /** Forgets what is in the room, and keeps it for others. */
  public void giveRoom(@Nullable Object[] taken, int length) {
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
  public int read(@Nullable Object[] elements, int from, int to, int owner) throws IOException {
    Runs runs = in.format().beginRun();
    LeafReader even = in.leavesOf(runs.type(0));
    LeafReader odd = runs.isOfPairs() ? in.leavesOf(runs.type(1)) : even;
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

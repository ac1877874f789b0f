package io.karmi.uka.codec;

import io.karmi.uka.engine.read.ObjectReader;
import io.karmi.uka.engine.read.ReadType;
import io.karmi.uka.engine.read.Unmarshaler;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads dates and times from their short form, where nobody has to see what stands for them: the
 * counterpart of {@link TimeValueMarshaler}.
 */
public final class TimeReader extends Unmarshaler {
  private final Unmarshaler general;

  /**
   * The one for what stands for dates and times here.
   *
   * @param general reads that object
   */
  TimeReader(ReadType type, Unmarshaler general) {
    super(type);
    this.general = general;
  }

  @Override
  public boolean resolves() {
    return true;
  }

  @Override
  public @Nullable Object unmarshal(ObjectReader in, boolean unshared) throws IOException {
    return general.unmarshal(in, unshared);
  }

  @Override
  public @Nullable Object readShared(ObjectReader in) throws IOException {
    Object time = in.hooks.overridesCalls() ? null : TimeForms.read(in.buffer);
    if (time == null) {
      return in.completion().finish(type, unmarshal(in, false), false);
    }
    in.addLeaf(time);
    return time;
  }

  @Override
  public int readRun(ObjectReader in, int number, Object[] elements, int from, int to)
      throws IOException {
    int next = from;
    while (next < to && in.takesNext(number)) {
      elements[next++] = readShared(in);
    }
    return next;
  }
}

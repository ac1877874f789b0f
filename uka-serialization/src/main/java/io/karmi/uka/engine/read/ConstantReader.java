package io.karmi.uka.engine.read;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Enum constants of a type that has a number. */
public final class ConstantReader extends DirectReader {
  public ConstantReader(ReadType type) {
    super(type);
  }

  @Override
  public @Nullable Object unmarshal(ObjectReader in, boolean unshared) throws IOException {
    return in.specials().readConstant(type, unshared);
  }

  @Override
  public @Nullable Object readShared(ObjectReader in) throws IOException {
    Enum<?> constant = in.specials().readConstantContent(type);
    in.setCurrentHandle(in.handles().assignSettled(constant));
    return constant;
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

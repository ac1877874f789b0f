package io.karmi.uka.engine.read;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads objects that refer to no others, and whose data many can be read together. */
public abstract class LeafReader extends DirectReader {
  /** Classes whose objects fields mostly refer to: the engine keeps the numbers of their types. */
  public enum Kind {
    /** {@code Integer} in short form. */
    INTEGER,
    /** {@code Long} in short form. */
    LONG,
    /** {@code Double}. */
    DOUBLE,
    OTHER
  }

  private final int runWidth;

  /**
   * Begins.
   *
   * @param runWidth as {@code Marshaler.runWidth}
   */
  protected LeafReader(ReadType type, int runWidth) {
    super(type);
    this.runWidth = runWidth;
  }

  @Override
  public final int runWidth() {
    return runWidth;
  }

  /** What reads the leaves of the type with this number; null if it is none of leaves. */
  public static @Nullable LeafReader of(ReadContext in, int number) {
    return in.planOf(number) instanceof LeafReader leaves ? leaves : null;
  }

  /** Which of the frequent classes is read. */
  public Kind kind() {
    return Kind.OTHER;
  }

  /** Reads the data of objects that are written together. */
  public abstract void readAll(ReadContext in, @Nullable Object[] into, int from, int to)
      throws IOException;
}

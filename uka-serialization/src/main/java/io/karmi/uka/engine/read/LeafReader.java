package io.karmi.uka.engine.read;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reader of objects that refer to no others, alone or in packed runs. */
public abstract class LeafReader extends DirectReader {
  /** Frequent classes; the engine keeps the numbers of their types. */
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
   * Reader of one type.
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

  @Override
  public final boolean isLeaf() {
    return true;
  }

  /** The reader of the type with this number; null if its objects are no leaves. */
  public static @Nullable LeafReader of(ReadContext in, int number) {
    return in.planOf(number) instanceof LeafReader leaves ? leaves : null;
  }

  /** Which of the frequent classes is read. */
  public Kind kind() {
    return Kind.OTHER;
  }

  /** Reads the data of the objects of a packed run. */
  public abstract void readAll(ReadContext in, @Nullable Object[] into, int from, int to)
      throws IOException;
}

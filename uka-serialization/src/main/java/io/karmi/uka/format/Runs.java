package io.karmi.uka.format;

import java.io.IOException;

/**
 * Runs of values, in which tokens are left out that would repeat; see {@code docs/wire-format.md}.
 *
 * <p>There is one of a stream, which holds the run that has been begun last. The bytes of a run are
 * known without knowing the types of its values: each takes a certain number of bytes, or is one
 * number of variable length.
 */
public abstract class Runs {
  /** Upper bound of a run's length, in values. */
  public static final int MOST = 512;

  /** Flag in the head of a run: the values are of two types in turn. */
  public static final int PAIRS = 1;

  /** Flag in the head of a run: some values have their token. */
  public static final int MASKED = 2;

  /** Position of a run's length in its head, in bits. */
  public static final int LENGTH_SHIFT = 2;

  /** How many values there are. */
  public abstract int length();

  /** Whether the values are of two types in turn. */
  public abstract boolean isOfPairs();

  /** The number of a type: that of even values (0) or of odd ones (1). */
  public abstract int type(int slot);

  /** How many bytes each value of a type takes, 0 if it is a number. */
  public abstract int width(int slot);

  /** Whether some values have their token. */
  public abstract boolean isMasked();

  /** Whether a value is null or a reference, which have their token. */
  public abstract boolean hasToken(int index);

  /** Refuses the value that comes next if it is neither null nor a reference. */
  public abstract void checkToken() throws IOException;

  /** Unreads the values of the run from this one on, each with its token. */
  public abstract void expand(int from) throws IOException;
}

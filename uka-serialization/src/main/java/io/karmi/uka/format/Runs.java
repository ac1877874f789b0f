package io.karmi.uka.format;

import java.io.IOException;

/**
 * Current packed run of a stream: values without their tokens; see {@code docs/wire-format.md}.
 * Each value has a fixed size, or is one number of variable length, so that a run can be read
 * without knowing its types.
 */
public abstract class Runs {
  /** Upper bound of a run's length, in values. */
  public static final int MAXIMUM = 512;

  /** Flag in the head: the values are of two types in turn. */
  public static final int PAIRS = 1;

  /** Flag in the head: some values have their token. */
  public static final int MASKED = 2;

  /** Position of the length in the head, in bits. */
  public static final int LENGTH_SHIFT = 2;

  /** Number of values. */
  public abstract int length();

  /** Whether the values are of two types in turn. */
  public abstract boolean isOfPairs();

  /** The number of the type of even values (0) or odd ones (1). */
  public abstract int type(int slot);

  /** Size of the values of a type, in bytes; 0 for numbers of variable length. */
  public abstract int width(int slot);

  /** Whether some values have their token. */
  public abstract boolean isMasked();

  /** Whether a value is null or a reference, which have their token. */
  public abstract boolean hasToken(int index);

  /** Refuses a next value that is neither null nor a reference. */
  public abstract void checkToken() throws IOException;

  /** Puts the values from this index on back into the buffer, each with its token. */
  public abstract void expand(int from) throws IOException;
}

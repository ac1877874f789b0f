package io.karmi.exchange.directory;

import java.io.Serializable;
import java.util.Objects;

/**
 * A key that was dropped: its bindings up to some number are over. Members that stand still do not
 * know that, and may live longer than the directory: the others tell the next one.
 *
 * @param order the highest number of a binding that is over
 * @param number of this note at the directory that tells of it
 */
public record DroppedKey(String key, long order, int number) implements Serializable {
  /** The most that a directory or a member remembers. */
  public static final int MAXIMUM = 1000;

  /** The most bytes of a key, in UTF-8. */
  public static final int MAXIMUM_BYTES = 1024;

  /** Checks that the key is there. */
  public DroppedKey {
    Objects.requireNonNull(key, "key");
  }
}

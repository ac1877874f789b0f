package io.karmi.guard;

import java.util.HashSet;
import java.util.Set;

/**
 * Classes of arrays with many dimensions that peers have named.
 *
 * <p>The VM makes a class for each dimension, and keeps it as long as the class of the elements.
 * What 255 dimensions take is 2 MB, mostly outside of the heap, and 0.1 s of a processor; their
 * name has some 300 bytes. So the classes of all that peers name take a share of the heap at most.
 * Those of one and two dimensions are not counted. Thread-safe.
 */
public final class ArrayNames {
  /** The part of the heap that they may take. */
  private static final int PART_OF_HEAP = 32;

  /** What they may take in a small heap, in bytes: one class of 255 dimensions. */
  private static final long LEAST_BYTES = 4 << 20;

  /** Dimensions that are not counted. */
  private static final int FREE_DIMENSIONS = 2;

  /** About what the class of each dimension takes, in bytes. */
  private static final int BYTES_EACH = 2048;

  /** About what it takes more for each dimension below it, in bytes. */
  private static final int BYTES_FOR_EACH_BELOW = 32;

  private static final ArrayNames OF_PEERS =
      new ArrayNames(Math.max(LEAST_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));

  private final long most;

  /* Both are guarded by this. */
  private final Set<String> names = new HashSet<>();
  private long taken;

  /**
   * @param most bytes that their classes may take
   */
  ArrayNames(long most) {
    this.most = most;
  }

  /**
   * Checks that a peer may cause the class with a name of its choice to be looked for.
   *
   * @throws ClassNotFoundException if it is of an array for whose class there is no room
   */
  public static void check(String name) throws ClassNotFoundException {
    int dimensions = dimensions(name);
    if (dimensions > FREE_DIMENSIONS) {
      OF_PEERS.take(name, dimensions);
    }
  }

  private static int dimensions(String name) {
    int dimensions = 0;
    while (dimensions < name.length() && name.charAt(dimensions) == '[') {
      dimensions++;
    }
    return dimensions;
  }

  /** Takes room for a class, once. */
  synchronized void take(String name, int dimensions) throws ClassNotFoundException {
    long bytes = (BYTES_EACH + (long) BYTES_FOR_EACH_BELOW * dimensions) * dimensions;
    if (names.contains(name)) {
      return;
    }
    if (bytes > most - taken) {
      throw new ClassNotFoundException(
          name
              + ": an array of "
              + dimensions
              + " dimensions. Classes of such arrays that peers have named may take "
              + most
              + " bytes, and take "
              + taken);
    }
    names.add(name);
    taken += bytes;
  }
}

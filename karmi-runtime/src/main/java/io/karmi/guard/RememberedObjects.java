package io.karmi.guard;

import java.io.InvalidObjectException;
import java.util.HashSet;
import java.util.Set;

/**
 * Objects that peers have sent and that their class in the JDK remembers for the life of the JVM:
 * levels of {@code java.util.logging} that were not known. Thread-safe.
 */
public final class RememberedObjects {
  /** The part of the heap that they may take. */
  private static final int PART_OF_HEAP = 128;

  /** What they may take in a small heap, in bytes. */
  private static final long LEAST_BYTES = 1 << 18;

  /** About what one takes in its class and here, in bytes, beside the characters of its name. */
  private static final int BYTES_EACH = 1024;

  private static final RememberedObjects OF_PEERS =
      new RememberedObjects(Math.max(LEAST_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP));

  private final long most;

  /* Both are guarded by this. */
  private final Set<String> names = new HashSet<>();
  private long taken;

  /**
   * None.
   *
   * @param most bytes that they may take
   */
  RememberedObjects(long most) {
    this.most = most;
  }

  /**
   * Checks that an object of a peer may be remembered.
   *
   * @param name tells it from others
   * @throws InvalidObjectException if there is no room for it
   */
  public static void check(String name) throws InvalidObjectException {
    OF_PEERS.take(name);
  }

  /** Takes room for an object, once. */
  synchronized void take(String name) throws InvalidObjectException {
    if (names.contains(name)) {
      return;
    }
    long bytes = BYTES_EACH + 4L * name.length();
    if (bytes > most - taken) {
      throw new InvalidObjectException(
          "a logging level that is new here, of "
              + name.length()
              + " characters: the JDK keeps each for ever, and those that peers have sent take "
              + taken
              + " bytes, of "
              + most);
    }
    names.add(name);
    taken += bytes;
  }
}

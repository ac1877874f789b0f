package io.karmi.guard;

import java.io.InvalidObjectException;
import java.util.HashSet;
import java.util.Set;

/**
 * Objects that peers have sent and that their class in the JDK remembers for the life of the JVM:
 * levels of {@code java.util.logging}, names of resource bundles in its records, and key strokes of
 * AWT and Swing. Thread-safe.
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
  private final Set<Known> known = new HashSet<>();
  private long taken;

  /** An object and its text: levels of one value are equal, whatever their names. */
  private record Known(Object object, String text) {}

  /**
   * @param most bytes that they may take
   */
  RememberedObjects(long most) {
    this.most = most;
  }

  /**
   * Checks that an object of a peer may be remembered.
   *
   * @throws InvalidObjectException if there is no room for it
   */
  public static void check(Object object) throws InvalidObjectException {
    OF_PEERS.take(object);
  }

  /** Takes room for an object, once. */
  synchronized void take(Object object) throws InvalidObjectException {
    Known wanted = new Known(object, object.toString());
    if (known.contains(wanted)) {
      return;
    }
    long bytes = BYTES_EACH + 4L * wanted.text.length();
    if (bytes > most - taken) {
      throw new InvalidObjectException(
          (object instanceof String ? "resource bundle " + object : object.getClass().getName())
              + ": the JDK keeps each new one for ever, and those that peers have sent take "
              + taken
              + " bytes, of "
              + most);
    }
    known.add(wanted);
    taken += bytes;
  }
}

package io.karmi.retrofit.jar;

import java.io.IOException;

/** Limits of what one input may expand to, with the jars inside it. Not thread-safe. */
final class Expansion {
  /** Deepest nesting of jars: an ear holds wars, which hold jars. */
  private static final int DEEPEST = 8;

  /** Bytes of all entries of an input, uncompressed, those of nested jars included. */
  private static final long MAXIMUM_BYTES = 16L << 30;

  /** Bytes to which any input may expand. */
  private static final long SMALL_BYTES = 1L << 30;

  /** How many times its length a larger one may: those that programs are shipped in, 2 to 20. */
  private static final long MAXIMUM_RATIO = 100;

  private final long mostBytes;
  private long bytes;
  private int depth;

  /** Of an input of so many bytes. */
  static Expansion of(long inputBytes) {
    long most = Math.min(MAXIMUM_BYTES / MAXIMUM_RATIO, inputBytes) * MAXIMUM_RATIO;
    return new Expansion(Math.max(SMALL_BYTES, most));
  }

  /** With another limit, in bytes. */
  Expansion(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Counts the entries of one jar, by their headers. */
  void add(long entryBytes, String place) throws IOException {
    bytes += Math.max(0, entryBytes);
    if (bytes > mostBytes) {
      throw new IOException(
          place + " expands to more than " + mostBytes + " bytes, with all jars inside the input");
    }
  }

  /** Enters a jar; {@link #leave} leaves it. */
  void enter(String place) throws IOException {
    if (depth == DEEPEST) {
      throw new IOException(
          shortened(place)
              + " is the "
              + (DEEPEST + 1)
              + "th jar inside another; "
              + DEEPEST
              + " are rewritten");
    }
    depth++;
  }

  void leave() {
    depth--;
  }

  private static String shortened(String place) {
    int first = place.indexOf("!/");
    return first < 0
        ? place
        : place.substring(0, first) + "!/..." + place.substring(place.lastIndexOf("!/"));
  }
}

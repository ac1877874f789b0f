package io.karmi.uka.handle;

import org.jspecify.annotations.Nullable;

/**
 * Hashes by which a {@link HandleTable} looks for objects: the value's of strings and frequent
 * boxes, which is cheap; else the identity hash, whose first computation costs some fifty
 * comparisons.
 */
final class Hashes {
  private Hashes() {}

  /** Whether the object is hashed by its value. */
  static boolean isValue(@Nullable Object object) {
    return object instanceof String
        || object instanceof Integer
        || object instanceof Long
        || object instanceof Double;
  }

  /** The hash of an object. */
  static int of(Object object) {
    if (object instanceof String text) {
      return text.hashCode();
    }
    if (object instanceof Integer number) {
      return number.hashCode();
    }
    if (object instanceof Long number) {
      return number.hashCode();
    }
    if (object instanceof Double number) {
      return number.hashCode();
    }
    return System.identityHashCode(object);
  }

  /**
   * Mixes all bits of a hash into its lowest bits, so that consecutive numbers and multiples of
   * powers of two collide as seldom as random ones.
   */
  static int spread(int hash) {
    int mixed = hash * 0x9E3779B9;
    return mixed ^ mixed >>> 18;
  }
}

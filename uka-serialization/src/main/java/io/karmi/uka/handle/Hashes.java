package io.karmi.uka.handle;

import org.jspecify.annotations.Nullable;

/**
 * By what a {@link HandleTable} looks for objects.
 *
 * <p>The VM makes the identity hash of an object when it is first asked for, at the price of some
 * fifty comparisons. The hash of a string or number is cheap. One test per class, so that none of
 * the calls is virtual.
 */
final class Hashes {
  private Hashes() {}

  /** Whether the object goes by its value. */
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
   * A number whose lowest bits depend on all bits of the hash: the highest bits of a product, in
   * which they all have a part, go into the lowest. Numbers that a program counts up, in whatever
   * steps, and multiples of powers of two meet as seldom as random ones.
   */
  static int spread(int hash) {
    int mixed = hash * 0x9E3779B9;
    return mixed ^ mixed >>> 18;
  }
}

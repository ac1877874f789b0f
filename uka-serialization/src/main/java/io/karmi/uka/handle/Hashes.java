package io.karmi.uka.handle;

import io.karmi.uka.platform.StringHash;
import org.jspecify.annotations.Nullable;

/**
 * Hashes by which a {@link HandleTable} looks for objects: the value's of strings and frequent
 * boxes, which is cheap; else the identity hash, whose first computation costs some fifty
 * comparisons. Not thread-safe.
 */
abstract class Hashes {
  /** Whether the message has had a string. */
  private boolean hadText;

  /**
   * Whether its strings go by {@link String#hashCode}, which they mostly keep, as keys of maps do.
   */
  private boolean byHashCode;

  final void beginTexts() {
    hadText = false;
  }

  /** Whether the object is hashed by its value. */
  static boolean isValue(@Nullable Object object) {
    return object instanceof String
        || object instanceof Integer
        || object instanceof Long
        || object instanceof Double;
  }

  /** The hash of a string: the first one of a message decides which. */
  public final int hashOfText(String text) {
    if (!hadText) {
      hadText = true;
      byHashCode = StringHash.isKept(text);
    }
    return byHashCode ? text.hashCode() : StringHash.of(text);
  }

  /** The hash of an object, the same throughout a message. */
  final int hashOfValue(Object object) {
    if (object instanceof String text) {
      return hashOfText(text);
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

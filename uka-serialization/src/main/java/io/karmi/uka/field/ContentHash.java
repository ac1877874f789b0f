package io.karmi.uka.field;

import io.karmi.uka.platform.StringHash;
import org.jspecify.annotations.Nullable;

/**
 * Hash of the content of objects of one class, by which a writer finds objects that it has met. The
 * first identity hash of an object takes the VM as long as writing a small object; its primitives
 * are loaded anyway. Thread-safe.
 */
public abstract class ContentHash {
  /** For hidden classes, which may live in other packages. */
  protected ContentHash() {}

  /** Whether the class's objects have content that tells most of them apart. */
  public boolean hasContent() {
    return false;
  }

  /**
   * The hash of an object of the class, where there {@linkplain #hasContent is content}. It changes
   * with the object.
   */
  public int contentHash(Object object) {
    throw new IllegalStateException("no content: " + object.getClass().getName());
  }

  /**
   * Computes the hashes of elements of an array, as long as they are of one class.
   *
   * @param into gets the hashes, from index 0 on
   * @return how many
   */
  public int contentHashes(
      @Nullable Object[] elements, int from, int most, Class<?> type, int[] into) {
    for (int i = 0; i < most; i++) {
      Object element = elements[from + i];
      if (element == null || element.getClass() != type) {
        return i;
      }
      into[i] = contentHash(element);
    }
    return most;
  }

  /** Hash of a field's string. */
  public static int hashOf(@Nullable String text) {
    return text == null ? 0 : StringHash.of(text);
  }

  /** Hash of a field's box. */
  public static int hashOf(@Nullable Integer box) {
    return box == null ? 0 : box;
  }

  /** Hash of a field's box. */
  public static int hashOf(@Nullable Long box) {
    return box == null ? 0 : box.hashCode();
  }

  /** Hash of a field's box. */
  public static int hashOf(@Nullable Double box) {
    return box == null ? 0 : box.hashCode();
  }

  /** Hash of what a field of a generic class refers to: that of a string or box, else 0. */
  public static int hashOf(@Nullable Object value) {
    if (value instanceof String text) {
      return StringHash.of(text);
    }
    return value instanceof Integer || value instanceof Long || value instanceof Double
        ? value.hashCode()
        : 0;
  }

  /** Mixes all bits of a sum into an int. */
  public static int mix(long sum) {
    return (int) (sum * 0x9E3779B97F4A7C15L >>> 32);
  }
}

package io.karmi.uka.platform;

import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Test whether a string has characters of ISO 8859-1 only, by its field {@code coder} or, where
 * that is not accessible, by its characters; and the bytes of its field {@code value}, which are
 * read in place.
 */
public final class StringCoder {
  /** Field {@code coder}; null if that is not accessible. */
  private static final @Nullable PrivateField CODER = PrivateField.of(String.class, "coder");

  /** Field {@code value}; null if that is not accessible. */
  private static final @Nullable PrivateField VALUE = PrivateField.of(String.class, "value");

  /** Whether strings are compact ({@code -XX:+CompactStrings}, the default). */
  private static final boolean COMPACT = CODER != null && CODER.getByte("") == 0;

  private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  private StringCoder() {}

  @SuppressWarnings("NullAway") // not asked where there is no CODER
  private static byte of(String text) {
    return CODER.getByte(text);
  }

  /** The bytes of the characters, not to be modified; null if the field is not accessible. */
  static byte @Nullable [] value(String text) {
    return VALUE == null ? null : (byte[]) VALUE.getReference(text);
  }

  /**
   * The characters, a byte each, not to be modified; null if some are not of ISO 8859-1, or the
   * field is not accessible.
   */
  public static byte @Nullable [] latin1(String text) {
    return COMPACT && of(text) == 0 ? value(text) : null;
  }

  /**
   * The characters, two bytes each, little-endian, not to be modified; null if all are of ISO
   * 8859-1, or the field is not accessible.
   */
  public static byte @Nullable [] utf16(String text) {
    return COMPACT && LITTLE_ENDIAN && of(text) != 0 ? value(text) : null;
  }

  /**
   * Stores the characters, a byte each, where there is room for {@code most}.
   *
   * @return how many; -1 if there are as many as {@code most} or more, or some are not of ISO
   *     8859-1
   */
  @SuppressWarnings("deprecation") // the one method that copies into an array that is there
  public static int putFew(String text, int most, byte[] to, int at) {
    byte @Nullable [] value = latin1(text);
    if (value != null) {
      if (value.length >= most) {
        return -1;
      }
      ShortCopy.copy(value, to, at);
      return value.length;
    }
    int length = text.length();
    if (length >= most || !isLatin1(text)) {
      return -1;
    }
    text.getBytes(0, length, to, at);
    return length;
  }

  /** Whether all characters are of ISO 8859-1. */
  public static boolean isLatin1(String text) {
    if (CODER != null) {
      byte coder = of(text);
      if (coder == 0 || COMPACT) {
        return coder == 0;
      }
    }
    return hasLatin1Only(text);
  }

  private static boolean hasLatin1Only(String text) {
    int length = text.length();
    int i = 0;
    for (; i < length - 7; i += 8) {
      int all =
          text.charAt(i)
              | text.charAt(i + 1)
              | text.charAt(i + 2)
              | text.charAt(i + 3)
              | text.charAt(i + 4)
              | text.charAt(i + 5)
              | text.charAt(i + 6)
              | text.charAt(i + 7);
      if (all >= 0x100) {
        return false;
      }
    }
    int rest = 0;
    for (; i < length; i++) {
      rest |= text.charAt(i);
    }
    return rest < 0x100;
  }
}

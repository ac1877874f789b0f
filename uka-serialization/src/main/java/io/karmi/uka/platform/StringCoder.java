package io.karmi.uka.platform;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Test whether a string has characters of ISO 8859-1 only, by its field {@code coder} or, where
 * that is not accessible, by its characters; and the bytes of its field {@code value}, which are
 * read in place.
 */
public final class StringCoder {
  private static final MethodType TYPE = MethodType.methodType(byte.class, Object.class);

  /** Getter of a string's {@code coder}; null if that is not accessible. */
  private static final @Nullable MethodHandle CODER = getter("coder", TYPE);

  /** Getter of a string's {@code value}; null if that is not accessible. */
  private static final @Nullable MethodHandle VALUE =
      getter("value", MethodType.methodType(Object.class, Object.class));

  /** Whether strings are compact ({@code -XX:+CompactStrings}, the default). */
  private static final boolean COMPACT = CODER != null && of("") == 0;

  private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

  private StringCoder() {}

  /** A getter of a private field of strings; null if that is not accessible. */
  static @Nullable MethodHandle getter(String field, MethodType type) {
    return Permitted.isNeeded() ? Permitted.get(() -> find(field, type)) : find(field, type);
  }

  private static @Nullable MethodHandle find(String name, MethodType type) {
    try {
      Field field = String.class.getDeclaredField(name);
      UnsafeHandles unsafe = UnsafeHandles.any();
      if (unsafe != null) {
        return unsafe.getter(field);
      }
      return MethodHandles.privateLookupIn(String.class, MethodHandles.lookup())
          .unreflectGetter(field)
          .asType(type);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  @SuppressWarnings("NullAway") // not asked where there is no CODER
  private static byte of(String text) {
    try {
      return (byte) CODER.invokeExact((Object) text);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("cannot look into a string", e);
    }
  }

  /** The bytes of the characters, not to be modified; null if the field is not accessible. */
  static byte @Nullable [] value(String text) {
    if (VALUE == null) {
      return null;
    }
    try {
      return (byte[]) (Object) VALUE.invokeExact((Object) text);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("cannot look into a string", e);
    }
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

package io.karmi.uka.marshal.access;

import java.io.InvalidClassException;
import java.lang.reflect.Field;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Whether a string has characters of one byte only: a field of the string knows, and where that is
 * out of reach one look at each character tells.
 */
public final class StringCoder {
  private static final @Nullable FieldAccess CODER = coder();

  /** Whether all strings that could be are compact ({@code -XX:+CompactStrings}, the default). */
  private static final boolean COMPACT = CODER != null && isCompact(CODER);

  private StringCoder() {}

  private static @Nullable FieldAccess coder() {
    try {
      Field[] coder = {String.class.getDeclaredField("coder")};
      return FieldAccess.of(String.class, coder, ByteOrder.LITTLE_ENDIAN);
    } catch (NoSuchFieldException | InvalidClassException e) {
      return null;
    }
  }

  private static boolean isCompact(FieldAccess coder) {
    byte[] scratch = {1};
    coder.getPrimitives("", scratch, 0);
    return scratch[0] == 0;
  }

  /**
   * Whether all characters are of ISO 8859-1.
   *
   * @param scratch a byte to write to
   * @param position of that byte
   */
  public static boolean isLatin1(String text, byte[] scratch, int position) {
    if (CODER != null) {
      CODER.getPrimitives(text, scratch, position);
      if (scratch[position] == 0 || COMPACT) {
        return scratch[position] == 0;
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

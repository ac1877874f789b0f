package io.karmi.uka.marshal.access;

import java.io.InvalidClassException;
import java.lang.reflect.Field;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Whether a string has characters of one byte only: a field of the string knows, and where that is
 * out of reach one look at each character tells.
 *
 * <p>Not thread-safe: characters are copied before they are looked at, which takes a third of the
 * time that asking the string for each would take.
 */
public final class StringCoder {
  private static final @Nullable FieldAccess CODER = coder();

  private static final int PIECE = 1 << 9;
  private static final int PIECE_OF_SHORT = 1 << 6;
  private static final char[] NO_CHARACTERS = {};

  /** Made when it is needed first; large when a large string comes. */
  private char[] characters = NO_CHARACTERS;

  private static @Nullable FieldAccess coder() {
    try {
      Field[] coder = {String.class.getDeclaredField("coder")};
      return FieldAccess.of(String.class, coder, ByteOrder.LITTLE_ENDIAN);
    } catch (NoSuchFieldException | InvalidClassException e) {
      return null;
    }
  }

  /**
   * Whether all characters are of ISO 8859-1.
   *
   * @param scratch a byte to write to
   * @param position of that byte
   */
  public boolean isLatin1(String text, byte[] scratch, int position) {
    if (CODER != null) {
      CODER.getPrimitives(text, scratch, position);
      if (scratch[position] == 0) {
        return true;
      }
    }
    return hasLatin1Only(text);
  }

  private boolean hasLatin1Only(String text) {
    int length = text.length();
    for (int done = 0; done < length; done += PIECE) {
      int count = Math.min(length - done, PIECE);
      if (count > characters.length) {
        characters = new char[length > PIECE_OF_SHORT ? PIECE : PIECE_OF_SHORT];
      }
      char[] piece = characters;
      text.getChars(done, done + count, piece, 0);
      int all = 0;
      for (int i = 0; i < count; i++) {
        all |= piece[i];
      }
      if (all >= 0x100) {
        return false;
      }
    }
    return true;
  }
}

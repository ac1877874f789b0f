package io.karmi.uka.format.uka;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.platform.PrimitiveBlock;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Strings and boxes that lie one behind the other, each read in one loop as far as they have
 * arrived and are short.
 *
 * <p>The loops keep the buffer's fields in local variables: the JIT would load them again after
 * each new object.
 */
final class UkaBatches {
  /** Bytes of the longest box, with its token. */
  private static final int LONGEST_BOX = 11;

  private UkaBatches() {}

  /**
   * Takes short strings of one byte per character.
   *
   * @return index behind the last one
   */
  static int takeLatin1(InputBuffer in, @Nullable Object[] into, int from, int to) {
    byte[] bytes = in.bytes;
    int limit = in.limit;
    int position = in.position;
    int next = from;
    while (next < to && position < limit) {
      int length = bytes[position] - UkaTokens.SHORT_STRING;
      int start = position + 1;
      if (length < 0 || length >= UkaTokens.SHORT_STRINGS || limit - start < length) {
        break;
      }
      into[next++] = UkaText.latin1(bytes, start, length);
      position = start + length;
    }
    in.position = position;
    return next;
  }

  /**
   * Takes pairs of such a string and a box.
   *
   * @param token of the boxes
   * @param code of what they hold: I, J or D
   * @return index behind the last pair
   */
  @SuppressWarnings({"removal", "BoxedPrimitiveConstructor"}) // the only way to a new object
  static int takeTextsAndBoxes(
      InputBuffer in, @Nullable Object[] into, int from, int to, int token, char code)
      throws IOException {
    byte[] bytes = in.bytes;
    int last = in.limit - LONGEST_BOX;
    int position = in.position;
    int next = from;
    while (next < to - 1 && position < last) {
      int length = bytes[position] - UkaTokens.SHORT_STRING;
      int start = position + 1;
      int box = start + length;
      if (length < 0 || length >= UkaTokens.SHORT_STRINGS || box > last || bytes[box] != token) {
        break;
      }
      into[next] = UkaText.latin1(bytes, start, length);
      position = box + 1;
      if (code == 'D') {
        into[next + 1] =
            new Double(Double.longBitsToDouble(PrimitiveBlock.getLong(bytes, position)));
        position += Long.BYTES;
      } else {
        int low = bytes[position];
        int high = bytes[position + 1];
        long value;
        if (low >= 0) {
          value = low;
          position++;
        } else if (high >= 0) {
          value = high << 7 | low & 0x7F;
          position += 2;
        } else {
          in.position = position;
          value = code == 'I' ? in.readVarInt() & 0xFFFFFFFFL : in.readVarLong();
          position = in.position;
        }
        long signed = value >>> 1 ^ -(value & 1);
        if (code == 'I') {
          into[next + 1] = new Integer((int) signed);
        } else {
          into[next + 1] = new Long(signed);
        }
      }
      next += 2;
    }
    in.position = position;
    return next;
  }
}

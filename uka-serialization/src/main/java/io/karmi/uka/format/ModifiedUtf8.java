package io.karmi.uka.format;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.platform.PrimitiveBlock;
import io.karmi.uka.platform.ShortCopy;
import java.io.IOException;
import java.io.UTFDataFormatException;

/**
 * Encoding of text by {@link java.io.DataInput}: one to three bytes for each {@code char}, also for
 * surrogates, and two bytes for NUL. Most text is ASCII, which is copied.
 */
public final class ModifiedUtf8 {
  /** Bytes that one {@code char} takes at most. */
  public static final int MAXIMUM_BYTES = 3;

  private static final int PIECE_CHARS = 1 << 12;

  /** Size of the pieces in which long text is decoded, so that its first error is reported. */
  private static final int PIECE_BYTES = 1 << 10;

  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long LOW_BITS = 0x0101010101010101L;

  /**
   * Whether a builder makes the same string of nothing each time, and so do the JDK's streams. On
   * JDK 21 it does not. Asked once, as compiled code of the JVM may make a new one in any case.
   */
  @SuppressWarnings("ReferenceEquality")
  private static final boolean EMPTY_IS_ONE = new StringBuilder(0).toString() == "";

  private ModifiedUtf8() {}

  /** Size of the encoded text. */
  public static long lengthBytes(String text) {
    int length = text.length();
    int beyondAscii = 0;
    long bytes = length;
    for (int i = 0; i < length; i++) {
      beyondAscii |= beyondAscii(text.charAt(i));
    }
    if (beyondAscii < 0x80) {
      return bytes;
    }
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (beyondAscii(c) >= 0x80) {
        bytes += c < 0x800 ? 1 : 2;
      }
    }
    return bytes;
  }

  /** At least 0x80 if {@code c} takes more than one byte; results can be united and tested once. */
  private static int beyondAscii(char c) {
    return c | (c - 1) & 0x8000;
  }

  /** Writes a length of two bytes and the text, which must not be longer. */
  public static void writeShort(OutputBuffer out, String text) throws IOException {
    long lengthBytes = lengthBytes(text);
    if (lengthBytes > 0xFFFF) {
      throw new UTFDataFormatException();
    }
    out.reserve(2);
    out.bytes[out.position++] = (byte) (lengthBytes >> 8);
    out.bytes[out.position++] = (byte) lengthBytes;
    write(out, text, lengthBytes);
  }

  /** Writes the text, which takes {@code lengthBytes}. */
  public static void write(OutputBuffer out, String text, long lengthBytes) throws IOException {
    int length = text.length();
    for (int done = 0; done < length; ) {
      int end = Math.min(length, done + PIECE_CHARS);
      if (lengthBytes == length) {
        writeAscii(out, text, done, end);
      } else {
        out.reserve((end - done) * MAXIMUM_BYTES);
        out.position = put(out.bytes, out.position, text, done, end);
      }
      done = end;
    }
  }

  @SuppressWarnings(
      "deprecation") // the one method that copies the low bytes into an array that is there
  private static void writeAscii(OutputBuffer out, String text, int start, int end)
      throws IOException {
    out.reserve(end - start);
    text.getBytes(start, end, out.bytes, out.position);
    out.position += end - start;
  }

  /**
   * Stores the low bytes of all characters of an ISO 8859-1 text.
   *
   * @return whether that is its encoding, as it is ASCII without NUL
   */
  @SuppressWarnings("deprecation") // as above
  public static boolean putIfAscii(byte[] bytes, int position, String text) {
    int end = position + text.length();
    text.getBytes(0, text.length(), bytes, position);
    int at = position;
    long beyond = 0;
    for (; at <= end - 8; at += 8) {
      long eight = (long) PrimitiveBlock.LONGS.get(bytes, at);
      beyond |= eight | eight - LOW_BITS;
    }
    for (; at < end; at++) {
      beyond |= bytes[at] | bytes[at] - 1;
    }
    return (beyond & HIGH_BITS) == 0;
  }

  /** As {@link #putIfAscii(byte[], int, String)}, of the characters of a short text. */
  public static boolean putIfAscii(byte[] bytes, int position, byte[] latin1) {
    return (ShortCopy.copyAndTest(latin1, bytes, position) & HIGH_BITS) == 0;
  }

  /** Stores {@code text[start .. end)} and returns the position behind it. */
  public static int put(byte[] bytes, int position, String text, int start, int end) {
    int at = position;
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      if (beyondAscii(c) < 0x80) {
        bytes[at++] = (byte) c;
      } else if (c < 0x800) {
        bytes[at++] = (byte) (0xC0 | c >> 6);
        bytes[at++] = (byte) (0x80 | c & 0x3F);
      } else {
        bytes[at++] = (byte) (0xE0 | c >> 12);
        bytes[at++] = (byte) (0x80 | c >> 6 & 0x3F);
        bytes[at++] = (byte) (0x80 | c & 0x3F);
      }
    }
    return at;
  }

  /**
   * Reads text of any length. Memory is allocated as bytes arrive.
   *
   * @param lengthBytes taken for 0 if negative, as the JDK does
   * @throws UTFDataFormatException if the bytes are not such text
   */
  public static String read(InputBuffer in, long lengthBytes) throws IOException {
    return lengthBytes <= PIECE_BYTES || lengthBytes <= in.remaining()
        ? readWhole(in, (int) Math.max(lengthBytes, 0))
        : readInPieces(in, lengthBytes);
  }

  private static String readWhole(InputBuffer in, int lengthBytes) throws IOException {
    if (lengthBytes == 0) {
      return empty();
    }
    in.require(lengthBytes);
    int start = in.position;
    in.position += lengthBytes;
    if (isAscii(in.bytes, start, lengthBytes)) {
      return ofAscii(in.bytes, start, lengthBytes);
    }
    char[] characters = new char[lengthBytes];
    return new String(characters, 0, decode(in.bytes, start, in.position, characters));
  }

  /** Text without characters: one string for all or a new one, as this JDK's streams read it. */
  public static String empty() {
    return EMPTY_IS_ONE ? "" : new String();
  }

  private static String readInPieces(InputBuffer in, long lengthBytes) throws IOException {
    StringBuilder text = new StringBuilder(PIECE_BYTES);
    char[] characters = new char[PIECE_BYTES];
    for (long left = lengthBytes; left > 0; ) {
      int piece = (int) Math.min(left, PIECE_BYTES);
      in.require(piece);
      int start = in.position;
      if (piece < left) {
        piece -= bytesOfCutCharacter(in.bytes, start + piece);
      }
      in.position += piece;
      left -= piece;
      if (isAscii(in.bytes, start, piece)) {
        text.append(ofAscii(in.bytes, start, piece));
      } else {
        text.append(characters, 0, decode(in.bytes, start, start + piece, characters));
      }
    }
    return text.toString();
  }

  /** Number of bytes before {@code end} of a character that ends behind it. */
  private static int bytesOfCutCharacter(byte[] bytes, int end) {
    if ((bytes[end - 1] & 0xC0) == 0xC0) {
      return 1;
    }
    return (bytes[end - 2] & 0xF0) == 0xE0 ? 2 : 0;
  }

  @SuppressWarnings("deprecation") // the one constructor that looks for no charset
  private static String ofAscii(byte[] bytes, int start, int length) {
    return new String(bytes, 0, start, length);
  }

  private static boolean isAscii(byte[] bytes, int start, int length) {
    int end = start + length;
    int at = start;
    long high = 0;
    if (length >= Long.BYTES) {
      for (; at < end - Long.BYTES; at += Long.BYTES) {
        high |= (long) PrimitiveBlock.LONGS.get(bytes, at);
      }
      /* The last eight, perhaps some of them again. */
      high |= (long) PrimitiveBlock.LONGS.get(bytes, end - Long.BYTES);
    } else {
      for (; at < end; at++) {
        high |= bytes[at];
      }
    }
    return (high & HIGH_BITS) == 0;
  }

  /** Decodes {@code bytes[start .. end)}; returns the number of characters. */
  private static int decode(byte[] bytes, int start, int end, char[] characters)
      throws UTFDataFormatException {
    int count = 0;
    for (int at = start; at < end; ) {
      int first = bytes[at];
      int size = first >= 0 ? 1 : (first & 0xE0) == 0xC0 ? 2 : 3;
      if (at + size > end || (size == 3 && (first & 0xF0) != 0xE0)) {
        throw new UTFDataFormatException();
      }
      characters[count++] =
          switch (size) {
            case 1 -> (char) first;
            case 2 -> (char) ((first & 0x1F) << 6 | continuation(bytes[at + 1]));
            default ->
                (char)
                    ((first & 0x0F) << 12
                        | continuation(bytes[at + 1]) << 6
                        | continuation(bytes[at + 2]));
          };
      at += size;
    }
    return count;
  }

  private static int continuation(byte next) throws UTFDataFormatException {
    if ((next & 0xC0) != 0x80) {
      throw new UTFDataFormatException();
    }
    return next & 0x3F;
  }
}

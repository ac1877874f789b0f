package io.karmi.uka.format.uka;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.format.ModifiedUtf8;
import java.io.IOException;
import java.io.StreamCorruptedException;

/** Reader of strings and names in the UKA format, which are allocated when they have arrived. */
final class UkaText {
  private UkaText() {}

  /** A name: its length and encoding in one number, then the characters. */
  static String read(InputBuffer in) throws IOException {
    int lengthAndEncoding = in.readVarInt();
    int length = lengthAndEncoding >>> 1;
    return (lengthAndEncoding & 1) == 0 ? readLatin1(in, length) : readUtf16(in, length);
  }

  /** A number of characters of ISO 8859-1. */
  static String readLatin1(InputBuffer in, int length) throws IOException {
    checkLength(length);
    in.require(length);
    String text = latin1(in.bytes, in.position, length);
    in.position += length;
    return text;
  }

  @SuppressWarnings("deprecation") // the one constructor that looks for no charset
  static String latin1(byte[] bytes, int start, int length) {
    return length == 0 ? ModifiedUtf8.empty() : new String(bytes, 0, start, length);
  }

  /** A number of characters of UTF-16. */
  static String readUtf16(InputBuffer in, int length) throws IOException {
    checkLength(length);
    if (length > (Integer.MAX_VALUE - 8) / 2) {
      throw new StreamCorruptedException("a string of " + length + " characters");
    }
    in.require(2 * length);
    char[] characters = new char[length];
    in.readChars(characters, 0, length);
    return new String(characters);
  }

  private static void checkLength(int length) throws StreamCorruptedException {
    if (length < 0) {
      throw new StreamCorruptedException("negative string length");
    }
  }
}

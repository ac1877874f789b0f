package io.karmi.contract.hostile;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes in the notation of docs/wire-format.md, 1.1. Not thread-safe. */
public final class WireBytes {
  private static final int LOW_BITS = 7;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** One byte each. */
  public WireBytes u8(int... values) {
    for (int value : values) {
      bytes.write(value);
    }
    return this;
  }

  /** As they are. */
  public WireBytes raw(byte[] more) {
    bytes.write(more, 0, more.length);
    return this;
  }

  /** What other bytes hold. */
  public WireBytes raw(WireBytes more) {
    return raw(more.toArray());
  }

  /** Little-endian, two bytes. */
  public WireBytes int16(int value) {
    return little(value, Short.BYTES);
  }

  /** Little-endian, four bytes. */
  public WireBytes int32(int value) {
    return little(value, Integer.BYTES);
  }

  /** Little-endian, eight bytes. */
  public WireBytes int64(long value) {
    return little(value, Long.BYTES);
  }

  private WireBytes little(long value, int count) {
    for (int i = 0; i < count; i++) {
      bytes.write((int) (value >>> i * Byte.SIZE));
    }
    return this;
  }

  /** Big-endian, eight bytes, as inside blocks. */
  public WireBytes bigInt64(long value) {
    for (int i = Long.BYTES - 1; i >= 0; i--) {
      bytes.write((int) (value >>> i * Byte.SIZE));
    }
    return this;
  }

  /** Seven bits per byte, the lowest first. */
  public WireBytes number(long value) {
    long rest = value;
    while (rest >>> LOW_BITS != 0) {
      bytes.write((int) (rest & 0x7F | 0x80));
      rest >>>= LOW_BITS;
    }
    bytes.write((int) rest);
    return this;
  }

  /** A text of the UKA stream, with one byte per character. */
  public WireBytes text(String text) {
    return number(2L * text.length()).raw(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** A string as {@code DataOutput.writeUTF} writes it, of ASCII. */
  public WireBytes utf(String text) {
    return u8(text.length() >> Byte.SIZE, text.length())
        .raw(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Behind a BLOCK token and their length. */
  public WireBytes block(WireBytes content) {
    return u8(0x0A).number(content.length()).raw(content);
  }

  /** How many there are. */
  public int length() {
    return bytes.size();
  }

  /** All of them. */
  public byte[] toArray() {
    return bytes.toByteArray();
  }

  /** The first of them. */
  public byte[] first(int count) {
    return Arrays.copyOf(toArray(), Math.min(count, length()));
  }
}

package io.karmi.uka.buffer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Buffer to which marshalers write without a method call per field.
 *
 * <p>The array is public for that (KaRMI paper, 3.4b). A marshaler calls {@link #reserve} once for
 * all its primitive fields, stores into {@code bytes[position..]} and advances {@code position}
 * itself. Sizes are in bytes; values are little-endian, as in the memory of most machines.
 *
 * <p>The {@code write} methods reserve what they need. A subclass may override {@link #makeRoom} to
 * deliver bytes instead of growing.
 *
 * <p>Not thread-safe: a stream owns its buffer.
 */
public class OutputBuffer {
  /** Elements up to which a loop is faster than a view of the array. */
  private static final int SHORT_ARRAY = 64;

  /** Characters of a long string that are copied at a time. */
  private static final int PART = 512;

  private static final char[] NO_PART = {};

  /** Longest number of variable length, in bytes. */
  public static final int LONGEST_VAR = 10;

  /** Largest array that every supported VM can allocate. */
  private static final int MAXIMUM_CAPACITY = Integer.MAX_VALUE - 8;

  /** Replaced when the buffer grows; read it again after every {@link #reserve}. */
  public byte[] bytes;

  private char[] part = NO_PART;

  /** Index in {@link #bytes} of the next byte to write. */
  public int position;

  /**
   * Makes an empty buffer.
   *
   * @param initialCapacity in bytes; the buffer grows beyond it as needed
   */
  public OutputBuffer(int initialCapacity) {
    this(new byte[initialCapacity]);
  }

  /** Makes an empty buffer that begins with this array. */
  protected OutputBuffer(byte[] first) {
    bytes = first;
  }

  /**
   * Makes sure that {@code bytes[position .. position + lengthBytes)} exists.
   *
   * @throws IOException if the buffer cannot grow that far, or from the sink of a draining subclass
   */
  public final void reserve(int lengthBytes) throws IOException {
    if (bytes.length - position < lengthBytes) {
      makeRoom(lengthBytes);
    }
  }

  /**
   * Makes room for {@link #reserve}. This implementation doubles the array; a subclass may drain it
   * instead, which moves {@link #position} back.
   *
   * @throws IOException if more than 2 GiB would be needed
   */
  protected void makeRoom(int lengthBytes) throws IOException {
    long needed = (long) position + lengthBytes;
    if (lengthBytes < 0 || needed > MAXIMUM_CAPACITY) {
      throw new IOException(
          "cannot buffer " + needed + " bytes: one message is at most " + MAXIMUM_CAPACITY);
    }
    long doubled = Math.max(2L * bytes.length, 64);
    byte[] grown = new byte[(int) Math.min(Math.max(doubled, needed), MAXIMUM_CAPACITY)];
    System.arraycopy(bytes, 0, grown, 0, position);
    bytes = grown;
  }

  /** Announces bytes, so that a buffer can grow once. This implementation ignores it. */
  public void expect(long lengthBytes) {}

  /** Says how large a message will be that begins, probably. This implementation ignores it. */
  public void expectMessage(int lengthBytes) {}

  /**
   * Ends a message. A subclass with a sink delivers all bytes; this implementation keeps them.
   *
   * @throws IOException from the sink
   */
  public void deliver() throws IOException {}

  /** Writes the low eight bits. */
  public final void writeByte(int value) throws IOException {
    reserve(1);
    bytes[position++] = (byte) value;
  }

  /** Writes one byte, 1 for true and 0 for false. */
  public final void writeBoolean(boolean value) throws IOException {
    writeByte(value ? 1 : 0);
  }

  /** Writes the low sixteen bits in two bytes, little-endian. */
  public final void writeChar(int value) throws IOException {
    reserve(2);
    LittleEndian.Others.CHARS.set(bytes, position, (char) value);
    position += 2;
  }

  /** Writes the low sixteen bits in two bytes, little-endian. */
  public final void writeShort(int value) throws IOException {
    reserve(2);
    LittleEndian.SHORTS.set(bytes, position, (short) value);
    position += 2;
  }

  /** Writes 4 bytes, little-endian. */
  public final void writeInt(int value) throws IOException {
    reserve(4);
    LittleEndian.INTS.set(bytes, position, value);
    position += 4;
  }

  /** Writes 4 bytes, little-endian. */
  public final void writeFloat(float value) throws IOException {
    reserve(4);
    LittleEndian.Others.FLOATS.set(bytes, position, value);
    position += 4;
  }

  /** Writes 8 bytes, little-endian. */
  public final void writeLong(long value) throws IOException {
    reserve(8);
    LittleEndian.LONGS.set(bytes, position, value);
    position += 8;
  }

  /** Writes the low {@code lengthBytes} bytes of {@code value}, at most 8, the lowest first. */
  public final void writeLow(long value, int lengthBytes) throws IOException {
    reserve(8);
    LittleEndian.LONGS.set(bytes, position, value);
    position += lengthBytes;
  }

  /** Writes 8 bytes, little-endian. */
  public final void writeDouble(double value) throws IOException {
    reserve(8);
    LittleEndian.Others.DOUBLES.set(bytes, position, value);
    position += 8;
  }

  /**
   * Writes an unsigned number, seven bits per byte, the lowest first (LEB128): one to five bytes.
   */
  public final void writeVarInt(int value) throws IOException {
    if ((value & ~0x3FFF) == 0) {
      writeShortVar(value);
    } else {
      writeVarLong(value & 0xFFFFFFFFL);
    }
  }

  /** Writes a number of at most fourteen bits. */
  private void writeShortVar(int value) throws IOException {
    reserve(2);
    position = putShortVar(bytes, position, value);
  }

  /** Stores a number of at most fourteen bits, without a branch. */
  private static int putShortVar(byte[] to, int at, int value) {
    int more = 0x7F - value >>> 31;
    int both = value & 0x7F | more << 7 | value >>> 7 << Byte.SIZE;
    LittleEndian.SHORTS.set(to, at, (short) both);
    return at + 1 + more;
  }

  /**
   * Writes an unsigned number, seven bits per byte, the lowest first (LEB128): one to ten bytes.
   */
  public final void writeVarLong(long value) throws IOException {
    reserve(LONGEST_VAR);
    position = putVar(bytes, position, value);
  }

  /** Writes a byte, and a number as {@link #writeVarLong} does. */
  public final void writeByteAndVar(byte first, long value) throws IOException {
    reserve(1 + LONGEST_VAR);
    bytes[position] = first;
    position = putVar(bytes, position + 1, value);
  }

  /**
   * Stores what {@link #writeVarLong} writes, where {@link #LONGEST_VAR} bytes have been reserved.
   *
   * @return the index of the next byte
   */
  public static int putVar(byte[] to, int at, long value) {
    if ((value & ~0x3FFF) == 0) {
      return putShortVar(to, at, (int) value);
    }
    if (value >>> 56 != 0) {
      return putLongest(to, at, value);
    }
    /* Seven bits to eight, in three steps for numbers of any length. */
    long spread = value & 0xFFFFFFFL | (value & 0xFFFFFFF0000000L) << 4;
    spread = spread & 0x3FFF00003FFFL | (spread & 0xFFFC0000FFFC000L) << 2;
    spread = spread & 0x7F007F007F007FL | (spread & 0x3F803F803F803F80L) << 1;
    int length = (70 - Long.numberOfLeadingZeros(value | 1)) / 7;
    long others = (1L << 8 * (length - 1)) - 1;
    LittleEndian.LONGS.set(to, at, spread | 0x8080808080808080L & others);
    return at + length;
  }

  private static int putLongest(byte[] to, int at, long value) {
    int next = at;
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      to[next++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    to[next++] = (byte) rest;
    return next;
  }

  /** Copies {@code length} bytes. */
  public final void writeBytes(byte[] values, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int step = stepElements(length - done, 1);
      System.arraycopy(values, offset + done, bytes, position, step);
      position += step;
      done += step;
    }
  }

  /** Writes the low eight bits of each character. */
  @SuppressWarnings("deprecation") // the one method that copies them into an array that is there
  public final void writeLatin1(String text) throws IOException {
    int length = text.length();
    int done = 0;
    while (done < length) {
      int step = stepElements(length - done, 1);
      text.getBytes(done, done + step, bytes, position);
      position += step;
      done += step;
    }
  }

  /** Writes two bytes per character, little-endian. */
  public final void writeUtf16(String text) throws IOException {
    int length = text.length();
    if (length > SHORT_ARRAY) {
      writeLongUtf16(text, length);
      return;
    }
    reserve(2 * length);
    byte[] to = bytes;
    int at = position;
    for (int i = 0; i < length; i++) {
      LittleEndian.Others.CHARS.set(to, at + i * 2, text.charAt(i));
    }
    position += 2 * length;
  }

  /** Copies parts twice, which is faster than character by character. */
  private void writeLongUtf16(String text, int length) throws IOException {
    if (part.length == 0) {
      part = new char[PART];
    }
    for (int done = 0; done < length; done += PART) {
      int step = Math.min(length - done, PART);
      text.getChars(done, done + step, part, 0);
      writeChars(part, 0, step);
    }
  }

  /** Writes one byte per element, 1 for true and 0 for false. */
  public final void writeBooleans(boolean[] values, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int step = stepElements(length - done, 1);
      for (int i = 0; i < step; i++) {
        bytes[position + i] = (byte) (values[offset + done + i] ? 1 : 0);
      }
      position += step;
      done += step;
    }
  }

  /** Writes 2 bytes per element, little-endian, at the speed of a memory copy (paper 3.6). */
  public final void writeChars(char[] values, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int step = stepElements(length - done, 2);
      if (step <= SHORT_ARRAY) {
        byte[] to = bytes;
        int at = position;
        int from = offset + done;
        for (int i = 0; i < step; i++) {
          LittleEndian.Others.CHARS.set(to, at + i * 2, values[from + i]);
        }
      } else {
        littleEndian(step * 2).asCharBuffer().put(values, offset + done, step);
      }
      position += step * 2;
      done += step;
    }
  }

  /** Writes 2 bytes per element, little-endian, at the speed of a memory copy (paper 3.6). */
  public final void writeShorts(short[] values, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int step = stepElements(length - done, 2);
      if (step <= SHORT_ARRAY) {
        byte[] to = bytes;
        int at = position;
        int from = offset + done;
        for (int i = 0; i < step; i++) {
          LittleEndian.SHORTS.set(to, at + i * 2, values[from + i]);
        }
      } else {
        littleEndian(step * 2).asShortBuffer().put(values, offset + done, step);
      }
      position += step * 2;
      done += step;
    }
  }

  /** Writes 4 bytes per element, little-endian, at the speed of a memory copy (paper 3.6). */
  public final void writeInts(int[] values, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int step = stepElements(length - done, 4);
      if (step <= SHORT_ARRAY) {
        byte[] to = bytes;
        int at = position;
        int from = offset + done;
        for (int i = 0; i < step; i++) {
          LittleEndian.INTS.set(to, at + i * 4, values[from + i]);
        }
      } else {
        littleEndian(step * 4).asIntBuffer().put(values, offset + done, step);
      }
      position += step * 4;
      done += step;
    }
  }

  /** Writes 4 bytes per element, little-endian, at the speed of a memory copy (paper 3.6). */
  public final void writeFloats(float[] values, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int step = stepElements(length - done, 4);
      if (step <= SHORT_ARRAY) {
        byte[] to = bytes;
        int at = position;
        int from = offset + done;
        for (int i = 0; i < step; i++) {
          LittleEndian.Others.FLOATS.set(to, at + i * 4, values[from + i]);
        }
      } else {
        littleEndian(step * 4).asFloatBuffer().put(values, offset + done, step);
      }
      position += step * 4;
      done += step;
    }
  }

  /** Writes 8 bytes per element, little-endian, at the speed of a memory copy (paper 3.6). */
  public final void writeLongs(long[] values, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int step = stepElements(length - done, 8);
      if (step <= SHORT_ARRAY) {
        byte[] to = bytes;
        int at = position;
        int from = offset + done;
        for (int i = 0; i < step; i++) {
          LittleEndian.LONGS.set(to, at + i * 8, values[from + i]);
        }
      } else {
        littleEndian(step * 8).asLongBuffer().put(values, offset + done, step);
      }
      position += step * 8;
      done += step;
    }
  }

  /** Writes 8 bytes per element, little-endian, at the speed of a memory copy (paper 3.6). */
  public final void writeDoubles(double[] values, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int step = stepElements(length - done, 8);
      if (step <= SHORT_ARRAY) {
        byte[] to = bytes;
        int at = position;
        int from = offset + done;
        for (int i = 0; i < step; i++) {
          LittleEndian.Others.DOUBLES.set(to, at + i * 8, values[from + i]);
        }
      } else {
        littleEndian(step * 8).asDoubleBuffer().put(values, offset + done, step);
      }
      position += step * 8;
      done += step;
    }
  }

  /**
   * Number of an array's elements that can be stored now, at least one. A draining buffer delivers
   * a large array piece by piece.
   */
  public final int stepElements(int elements, int elementBytes) throws IOException {
    long wanted = (long) elements * elementBytes;
    if (bytes.length - position < wanted) {
      makeRoomForArray(wanted);
    }
    return Math.min(elements, (bytes.length - position) / elementBytes);
  }

  /**
   * Makes room for at least one element of an array; this implementation for all.
   *
   * @throws IOException if more than 2 GiB would be needed, or from the sink of a draining subclass
   */
  protected void makeRoomForArray(long lengthBytes) throws IOException {
    if (lengthBytes > MAXIMUM_CAPACITY) {
      throw new IOException("an array of " + lengthBytes + " bytes does not fit into one message");
    }
    makeRoom((int) lengthBytes);
  }

  private ByteBuffer littleEndian(int lengthBytes) {
    return ByteBuffer.wrap(bytes, position, lengthBytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}

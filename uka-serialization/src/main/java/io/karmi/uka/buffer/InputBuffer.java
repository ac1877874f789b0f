package io.karmi.uka.buffer;

import java.io.EOFException;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.StreamCorruptedException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Buffer from which marshalers read without a method call per field; {@link OutputBuffer} is its
 * mirror image.
 *
 * <p>{@code bytes[position .. limit)} has arrived and is unread. A marshaler calls {@link #require}
 * once for all its primitive fields, loads from {@code bytes[position..]} and advances {@code
 * position} itself. Sizes are in bytes; values are little-endian.
 *
 * <p>A subclass may override {@link #fill} to fetch more bytes. Not thread-safe: a stream owns its
 * buffer.
 */
public class InputBuffer {
  /** Elements up to which a loop is faster than a view of the array. */
  private static final int SHORT_ARRAY = 64;

  /** Elements of an array that are fetched together. */
  private static final int STEP_ELEMENTS = 1 << 11;

  /** Size from which on bytes bypass the buffer. */
  private static final int DIRECT_BYTES = 1 << 11;

  /** Least room that {@link #makeRoomBefore} makes. */
  private static final int ROOM_BEFORE_BYTES = 1 << 7;

  /** May be replaced by {@link #require}; read it again afterwards. */
  public byte[] bytes;

  /** Index in {@link #bytes} of the next byte to read. */
  public int position;

  /** Index in {@link #bytes} after the last byte that has arrived. */
  public int limit;

  /**
   * Bytes that are sure to be asked for after those that are asked for next, so that a source may
   * fetch them together. A caller sets and restores it.
   */
  public int following;

  /** Last array of {@link #makeRoomBefore}, if the buffer owns no other. */
  private byte @Nullable [] copy;

  /** Reads {@code bytes[position .. limit)} in place. */
  public InputBuffer(byte[] bytes, int position, int limit) {
    this.bytes = bytes;
    this.position = position;
    this.limit = limit;
  }

  /**
   * Makes sure that {@code bytes[position .. position + lengthBytes)} has arrived.
   *
   * @throws EOFException if the source ends before
   */
  public final void require(int lengthBytes) throws IOException {
    if (limit - position < lengthBytes) {
      fill(lengthBytes);
    }
  }

  /**
   * Fetches bytes for {@link #require}, when too few have arrived. This implementation has no
   * source.
   *
   * @throws EOFException if the source ends before
   */
  protected void fill(int lengthBytes) throws IOException {
    throw new EOFException(
        "message ends early: " + lengthBytes + " bytes wanted, " + (limit - position) + " left");
  }

  /**
   * As {@link #require}, where bytes that are missing need not be an error.
   *
   * @return false if the source ends before
   */
  public boolean comes(int lengthBytes) throws IOException {
    try {
      require(lengthBytes);
      return true;
    } catch (EOFException e) {
      return false;
    }
  }

  /**
   * Makes sure that one byte has arrived, and up to {@code lengthBytes} without waiting.
   *
   * @return false if the source has ended where it may
   */
  public boolean requireSome(int lengthBytes) throws IOException {
    return comes(1);
  }

  /**
   * Whether the source has said, when it was asked last, that it has ended. Else an {@link
   * EOFException} is one of its own.
   */
  public boolean hasEnded() {
    return true;
  }

  /** The error for a source that has ended, between two frames or messages, inside a value. */
  public IOException endsInside() {
    return new EOFException();
  }

  /**
   * Reads bytes from the source to an array, while the buffer is empty.
   *
   * @return how many; 0 if the source cannot do that
   * @throws EOFException if the source has ended
   */
  public int readDirectly(byte[] to, int offset, int lengthBytes) throws IOException {
    return 0;
  }

  /**
   * Whether these bytes have arrived; fetches them if that needs no waiting.
   *
   * @throws IOException from the source
   */
  public boolean hasArrived(int lengthBytes) throws IOException {
    return remaining() >= lengthBytes;
  }

  /** Number of bytes that are certain to exist. */
  public long sureBytes() {
    return remaining();
  }

  /**
   * Number of bytes that have been read since the source began, or more by what is buffered; less
   * where an array holds a part of them only.
   */
  public long passedBytes() {
    return position;
  }

  /** Begins a message, so that a source may fetch more than is asked for. */
  public void beginMessage() {}

  /**
   * Says that a message grows: some hundred objects of it have been made, or a large array is to
   * be. A source that bounds what messages take may refuse the rest.
   *
   * @param nextBytes what is to be made at once
   * @throws IOException if the message may not grow; it is read no further then
   */
  public void grow(long nextBytes) throws IOException {}

  /**
   * Says that many steps are about to be made to hash and compare objects, beyond those that the
   * length of the message explains. A source that bounds them may refuse the message.
   *
   * @throws InvalidObjectException if it does
   */
  public void work(long steps) throws InvalidObjectException {}

  /** Whether the source bounds {@link #work}, so that it is worth to count. */
  public boolean boundsWork() {
    return false;
  }

  /**
   * Says that an object is about to be resolved whose class remembers, for the life of the JVM,
   * each one that differs from those before, or that a resource bundle of this name is about to be
   * looked for. A source that bounds them may refuse it.
   *
   * @throws InvalidObjectException if it does
   */
  public void remember(Object object) throws InvalidObjectException {}

  /**
   * Drops what has come of a message inside which the source has failed, and which so cannot be
   * read on: else it would be taken for the next one.
   *
   * @return whether the source has failed
   */
  public boolean dropFailed() {
    return false;
  }

  /**
   * Ends a message, and gives bytes behind it back to the source.
   *
   * @throws IOException from the source
   */
  public void endMessage() throws IOException {}

  /** Puts bytes in front of the unread ones, without changing an array of the program. */
  public final void unread(byte[] from, int lengthBytes) {
    if (position < lengthBytes || !mayOverwrite()) {
      makeRoomBefore(lengthBytes);
    }
    position -= lengthBytes;
    System.arraycopy(from, 0, bytes, position, lengthBytes);
  }

  /** Lets go of the array to which bytes were moved, once nothing of it is to be read. */
  protected final void dropCopy() {
    copy = null;
  }

  /** Whether this buffer owns {@link #bytes}. */
  protected boolean mayOverwrite() {
    return bytes == copy;
  }

  /**
   * Makes room in front of the unread bytes. A subclass that keeps more in {@link #bytes} has to
   * move that, too.
   */
  protected void makeRoomBefore(int lengthBytes) {
    int unread = remaining();
    int room = roomBefore(lengthBytes, unread);
    byte[] to = mayOverwrite() ? bytes : copy;
    if (to == null || to.length - room < unread) {
      to = new byte[room + unread];
    }
    System.arraycopy(bytes, position, to, room, unread);
    if (!mayOverwrite()) {
      copy = to;
    }
    bytes = to;
    position = room;
    limit = room + unread;
  }

  /** Room to make, in proportion to the unread bytes, which are moved for it. */
  protected static int roomBefore(int lengthBytes, int unreadBytes) {
    return Math.max(Math.max(lengthBytes, ROOM_BEFORE_BYTES), unreadBytes >> 3);
  }

  /** Number of unread bytes. */
  public final int remaining() {
    return limit - position;
  }

  /**
   * Number of bytes that can be read without waiting, as far as the source knows.
   *
   * @throws IOException from the source
   */
  public int available() throws IOException {
    return remaining();
  }

  /** Reads a signed byte. */
  public final byte readByte() throws IOException {
    require(1);
    return bytes[position++];
  }

  /** Reads one byte; everything but 0 is true. */
  public final boolean readBoolean() throws IOException {
    return readByte() != 0;
  }

  /** Reads 2 bytes, little-endian. */
  public final char readChar() throws IOException {
    require(2);
    char value = (char) LittleEndian.Others.CHARS.get(bytes, position);
    position += 2;
    return value;
  }

  /** Reads 2 bytes, little-endian. */
  public final short readShort() throws IOException {
    require(2);
    short value = (short) LittleEndian.SHORTS.get(bytes, position);
    position += 2;
    return value;
  }

  /** Reads 4 bytes, little-endian. */
  public final int readInt() throws IOException {
    require(4);
    int value = (int) LittleEndian.INTS.get(bytes, position);
    position += 4;
    return value;
  }

  /** Reads 4 bytes, little-endian. */
  public final float readFloat() throws IOException {
    require(4);
    float value = (float) LittleEndian.Others.FLOATS.get(bytes, position);
    position += 4;
    return value;
  }

  /** Reads 8 bytes, little-endian. */
  public final long readLong() throws IOException {
    require(8);
    long value = (long) LittleEndian.LONGS.get(bytes, position);
    position += 8;
    return value;
  }

  /** Reads 8 bytes, little-endian. */
  public final double readDouble() throws IOException {
    require(8);
    double value = (double) LittleEndian.Others.DOUBLES.get(bytes, position);
    position += 8;
    return value;
  }

  /**
   * Reads an unsigned number of one to five bytes (LEB128).
   *
   * @throws StreamCorruptedException if it does not end within five bytes, or exceeds 32 bits
   */
  public final int readVarInt() throws IOException {
    int first = readByte();
    if (first >= 0) {
      return first;
    }
    if (position < limit && bytes[position] >= 0) {
      return bytes[position++] << 7 | first & 0x7F;
    }
    position--;
    long value = takeVar(4);
    return value >= 0 ? (int) value : readVarIntBytewise();
  }

  /**
   * Reads a number of up to {@code most} bytes, at most 8, without a loop, if eight bytes have
   * arrived.
   *
   * @return -1 if that was not possible
   */
  private long takeVar(int most) {
    if (limit - position < Long.BYTES) {
      return -1;
    }
    long eight = (long) LittleEndian.LONGS.get(bytes, position);
    int lastBit = Long.numberOfTrailingZeros(~eight & 0x8080808080808080L);
    int length = (lastBit >>> 3) + 1;
    if (length > most) {
      return -1;
    }
    position += length;
    /* Eight bits to seven, the reverse of OutputBuffer.putVar. */
    long value = eight & 0x7F7F7F7F7F7F7F7FL & -1L >>> 63 - lastBit;
    value = value & 0x7F007F007F007FL | (value & 0x7F007F007F007F00L) >>> 1;
    value = value & 0x3FFF00003FFFL | (value & 0x3FFF00003FFF0000L) >>> 2;
    return value & 0xFFFFFFFL | (value & 0xFFFFFFF00000000L) >>> 4;
  }

  private int readVarIntBytewise() throws IOException {
    int value = 0;
    for (int shift = 0; shift < 28; shift += 7) {
      int next = readByte();
      value |= (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
    int last = readByte();
    if (last < 0 || last > 0x0F) {
      throw new StreamCorruptedException(
          "a number of more than 32 bits where one of 32 is expected");
    }
    return value | last << 28;
  }

  /**
   * Reads an unsigned number of one to ten bytes (LEB128).
   *
   * @throws StreamCorruptedException if it does not end within ten bytes, or exceeds 64 bits
   */
  public final long readVarLong() throws IOException {
    int first = readByte();
    if (first >= 0) {
      return first;
    }
    position--;
    long value = takeVar(Long.BYTES);
    return value >= 0 ? value : readVarLongBytewise();
  }

  private long readVarLongBytewise() throws IOException {
    long value = 0;
    for (int shift = 0; shift < 63; shift += 7) {
      int next = readByte();
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
    int last = readByte();
    if (last < 0 || last > 1) {
      throw new StreamCorruptedException(
          "a number of more than 64 bits where one of 64 is expected");
    }
    return value | (long) last << 63;
  }

  /** Copies {@code length} bytes. */
  public final void readBytes(byte[] values, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      boolean past = position == limit && length - done >= DIRECT_BYTES;
      int step = past ? readDirectly(values, offset + done, length - done) : 0;
      if (step == 0) {
        step = stepElements(length - done, 1);
        System.arraycopy(bytes, position, values, offset + done, step);
        position += step;
      }
      done += step;
    }
  }

  /** Reads one byte per element; everything but 0 is true. */
  public final void readBooleans(boolean[] values, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int step = stepElements(length - done, 1);
      for (int i = 0; i < step; i++) {
        values[offset + done + i] = bytes[position + i] != 0;
      }
      position += step;
      done += step;
    }
  }

  /** Reads 2 bytes per element, little-endian, at the speed of a memory copy (paper 3.6). */
  public final void readChars(char[] values, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int step = stepElements(length - done, 2);
      if (step <= SHORT_ARRAY) {
        byte[] from = bytes;
        int at = position;
        int to = offset + done;
        for (int i = 0; i < step; i++) {
          values[to + i] = (char) LittleEndian.Others.CHARS.get(from, at + i * 2);
        }
      } else {
        littleEndian(step * 2).asCharBuffer().get(values, offset + done, step);
      }
      position += step * 2;
      done += step;
    }
  }

  /** Reads 2 bytes per element, little-endian, at the speed of a memory copy (paper 3.6). */
  public final void readShorts(short[] values, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int step = stepElements(length - done, 2);
      if (step <= SHORT_ARRAY) {
        byte[] from = bytes;
        int at = position;
        int to = offset + done;
        for (int i = 0; i < step; i++) {
          values[to + i] = (short) LittleEndian.SHORTS.get(from, at + i * 2);
        }
      } else {
        littleEndian(step * 2).asShortBuffer().get(values, offset + done, step);
      }
      position += step * 2;
      done += step;
    }
  }

  /** Reads 4 bytes per element, little-endian, at the speed of a memory copy (paper 3.6). */
  public final void readInts(int[] values, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int step = stepElements(length - done, 4);
      if (step <= SHORT_ARRAY) {
        byte[] from = bytes;
        int at = position;
        int to = offset + done;
        for (int i = 0; i < step; i++) {
          values[to + i] = (int) LittleEndian.INTS.get(from, at + i * 4);
        }
      } else {
        littleEndian(step * 4).asIntBuffer().get(values, offset + done, step);
      }
      position += step * 4;
      done += step;
    }
  }

  /** Reads 4 bytes per element, little-endian, at the speed of a memory copy (paper 3.6). */
  public final void readFloats(float[] values, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int step = stepElements(length - done, 4);
      if (step <= SHORT_ARRAY) {
        byte[] from = bytes;
        int at = position;
        int to = offset + done;
        for (int i = 0; i < step; i++) {
          values[to + i] = (float) LittleEndian.Others.FLOATS.get(from, at + i * 4);
        }
      } else {
        littleEndian(step * 4).asFloatBuffer().get(values, offset + done, step);
      }
      position += step * 4;
      done += step;
    }
  }

  /** Reads 8 bytes per element, little-endian, at the speed of a memory copy (paper 3.6). */
  public final void readLongs(long[] values, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int step = stepElements(length - done, 8);
      if (step <= SHORT_ARRAY) {
        byte[] from = bytes;
        int at = position;
        int to = offset + done;
        for (int i = 0; i < step; i++) {
          values[to + i] = (long) LittleEndian.LONGS.get(from, at + i * 8);
        }
      } else {
        littleEndian(step * 8).asLongBuffer().get(values, offset + done, step);
      }
      position += step * 8;
      done += step;
    }
  }

  /** Reads 8 bytes per element, little-endian, at the speed of a memory copy (paper 3.6). */
  public final void readDoubles(double[] values, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int step = stepElements(length - done, 8);
      if (step <= SHORT_ARRAY) {
        byte[] from = bytes;
        int at = position;
        int to = offset + done;
        for (int i = 0; i < step; i++) {
          values[to + i] = (double) LittleEndian.Others.DOUBLES.get(from, at + i * 8);
        }
      } else {
        littleEndian(step * 8).asDoubleBuffer().get(values, offset + done, step);
      }
      position += step * 8;
      done += step;
    }
  }

  /**
   * Number of whole elements that can be copied now. An array larger than the buffer is copied in
   * pieces.
   */
  private int stepElements(int elements, int elementBytes) throws IOException {
    if (limit - position < elementBytes) {
      fill(Math.min(elements, STEP_ELEMENTS) * elementBytes);
    }
    return Math.min(elements, (limit - position) / elementBytes);
  }

  private ByteBuffer littleEndian(int lengthBytes) {
    return ByteBuffer.wrap(bytes, position, lengthBytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}

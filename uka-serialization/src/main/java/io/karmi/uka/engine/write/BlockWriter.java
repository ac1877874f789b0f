package io.karmi.uka.engine.write;

import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.format.FormatWriter;
import io.karmi.uka.format.ModifiedUtf8;
import java.io.IOException;
import java.io.UTFDataFormatException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Primitives that a program writes: {@code writeInt} and its like.
 *
 * <p>They are big-endian in every format, as {@link java.io.DataOutput} specifies. In block mode
 * they gather in blocks of up to 1024 bytes, cut where the JDK cuts them, which a reader sees in
 * {@code available()}. Else they go into the message as they are, as in {@code
 * writeClassDescriptor}.
 */
public final class BlockWriter {
  private static final int BLOCK_BYTES = 1024;

  /** Size of the first block array, enough for a few values. */
  private static final int INITIAL_BYTES = 128;

  /**
   * Since 24 the JDK ends a block early rather than inside a character of {@code writeUTF}, and
   * ends one at once that a text has filled.
   */
  private static final boolean KEEPS_CHARACTERS_WHOLE = Runtime.version().feature() >= 24;

  private static final byte[] NO_BYTES = {};
  private static final VarHandle CHARS = view(short[].class);
  private static final VarHandle INTS = view(int[].class);
  private static final VarHandle LONGS = view(long[].class);

  private final OutputBuffer out;
  private final FormatWriter format;

  /** Allocated for a program's first byte; most write none. */
  private byte[] block = NO_BYTES;

  private int length;
  private boolean blockMode;

  /** Whether blocks stand between objects, so that full ones are delivered. */
  private boolean topLevel = true;

  public BlockWriter(OutputBuffer out, FormatWriter format) {
    this.out = out;
    this.format = format;
  }

  private static VarHandle view(Class<?> arrayType) {
    return MethodHandles.byteArrayViewVarHandle(arrayType, ByteOrder.BIG_ENDIAN);
  }

  /** Switches block mode and returns what it was. Leaving it ends the current block. */
  public boolean setBlockMode(boolean mode) throws IOException {
    if (blockMode == mode) {
      return mode;
    }
    drain();
    blockMode = mode;
    return !mode;
  }

  public void setTopLevel(boolean topLevel) {
    this.topLevel = topLevel;
  }

  /** Ends the current block, if there is one. */
  public void drain() throws IOException {
    if (length > 0) {
      int ended = length;
      length = 0;
      format.writeBlock(block, 0, ended);
    }
  }

  /** Makes room in a block that is full; between objects the full block leaves at once. */
  private void drainFull() throws IOException {
    if (block.length < BLOCK_BYTES) {
      block = Arrays.copyOf(block, block == NO_BYTES ? INITIAL_BYTES : BLOCK_BYTES);
      return;
    }
    drain();
    if (topLevel) {
      out.deliver();
    }
  }

  public void write(int value) throws IOException {
    if (!blockMode) {
      out.writeByte(value);
      return;
    }
    if (length == block.length) {
      drainFull();
    }
    block[length++] = (byte) value;
  }

  public void write(byte[] bytes, int offset, int count) throws IOException {
    if (!blockMode) {
      out.writeBytes(bytes, offset, count);
      return;
    }
    int from = offset;
    int left = count;
    while (left > 0) {
      if (length == 0 && left >= BLOCK_BYTES) {
        writeWhole(bytes, from);
        from += BLOCK_BYTES;
        left -= BLOCK_BYTES;
        continue;
      }
      if (length == block.length) {
        drainFull();
      }
      int piece = Math.min(left, block.length - length);
      System.arraycopy(bytes, from, block, length, piece);
      length += piece;
      from += piece;
      left -= piece;
    }
  }

  /** Writes a block that the program has whole, which as with the JDK does not wait for more. */
  private void writeWhole(byte[] bytes, int offset) throws IOException {
    format.writeBlock(bytes, offset, BLOCK_BYTES);
    if (topLevel) {
      out.deliver();
    }
  }

  public void writeShort(int value) throws IOException {
    if (blockMode && block.length - length >= 2) {
      CHARS.set(block, length, (short) value);
      length += 2;
    } else {
      write(value >> 8);
      write(value);
    }
  }

  public void writeInt(int value) throws IOException {
    if (blockMode && block.length - length >= 4) {
      INTS.set(block, length, value);
      length += 4;
    } else if (!blockMode) {
      out.writeInt(Integer.reverseBytes(value));
    } else {
      writeShort(value >> 16);
      writeShort(value);
    }
  }

  public void writeLong(long value) throws IOException {
    if (blockMode && block.length - length >= 8) {
      LONGS.set(block, length, value);
      length += 8;
    } else {
      writeInt((int) (value >> 32));
      writeInt((int) value);
    }
  }

  public void writeBytes(String text) throws IOException {
    for (int i = 0; i < text.length(); i++) {
      write(text.charAt(i));
    }
    endText(text);
  }

  private void endText(String text) throws IOException {
    if (KEEPS_CHARACTERS_WHOLE && length == BLOCK_BYTES && !text.isEmpty()) {
      drainFull();
    }
  }

  public void writeChars(String text) throws IOException {
    for (int i = 0; i < text.length(); i++) {
      writeShort(text.charAt(i));
    }
  }

  /** Writes modified UTF-8 behind a length of two bytes. */
  public void writeUtf(String text) throws IOException {
    long lengthBytes = ModifiedUtf8.lengthBytes(text);
    if (lengthBytes > 0xFFFF) {
      throw new UTFDataFormatException();
    }
    writeShort((int) lengthBytes);
    if (blockMode && lengthBytes == text.length() && lengthBytes < BLOCK_BYTES - length) {
      writeAscii(text);
      return;
    }
    boolean ascii = true;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      ascii &= c != 0 && c < 0x80;
      if (!ascii && KEEPS_CHARACTERS_WHOLE && blockMode && length + utfBytes(c) >= BLOCK_BYTES) {
        drainFull();
      }
      writeUtf(c);
    }
    endText(text);
  }

  @SuppressWarnings(
      "deprecation") // the one method that copies the low bytes into an array that is there
  private void writeAscii(String text) {
    if (text.length() > block.length - length) {
      block = Arrays.copyOf(block, BLOCK_BYTES);
    }
    text.getBytes(0, text.length(), block, length);
    length += text.length();
  }

  private void writeUtf(char c) throws IOException {
    if (c != 0 && c < 0x80) {
      write(c);
    } else if (c < 0x800) {
      write(0xC0 | c >> 6);
      write(0x80 | c & 0x3F);
    } else {
      write(0xE0 | c >> 12);
      write(0x80 | c >> 6 & 0x3F);
      write(0x80 | c & 0x3F);
    }
  }

  private static int utfBytes(char c) {
    return c != 0 && c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
  }
}

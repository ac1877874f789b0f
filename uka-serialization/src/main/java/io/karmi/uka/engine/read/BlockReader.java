package io.karmi.uka.engine.read;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.format.FormatReader;
import io.karmi.uka.format.ModifiedUtf8;
import io.karmi.uka.format.Token;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StreamCorruptedException;
import java.io.UTFDataFormatException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Reader of a program's primitives; {@code BlockWriter} is its mirror image.
 *
 * <p>In block mode it reads from block to block and ends, as at the end of a file, where something
 * else than a block stands. Else it reads bytes as they are.
 */
public final class BlockReader extends InputStream {
  /** Handler of what stands between two blocks. */
  public interface Owner {
    /** Applies a reset that has been read. */
    void handleReset(int token) throws IOException;

    /**
     * Reads the seam that comes next, and returns the reader of the part behind it.
     *
     * @throws IOException if there is none, or not between messages
     */
    BlockReader passSeam() throws IOException;
  }

  /** Size of a block of the JDK's streams, in bytes. */
  private static final int MAXIMUM_PIECE = 1024;

  private static final VarHandle SHORTS = view(short[].class);
  private static final VarHandle INTS = view(int[].class);
  private static final VarHandle LONGS = view(long[].class);

  private final InputBuffer in;
  private final FormatReader format;
  private final Owner owner;

  /** For {@code readLine}, which keeps a character between two calls. */
  private @Nullable DataInputStream lines;

  private boolean blockMode;

  private int left;

  /**
   * What is left of a block that need not be read, as only {@link #available} has begun it, or as
   * the source has failed inside.
   */
  private int announced;

  /** Whether something else than a block comes next. */
  private boolean ended;

  /** Whether the data of the current class has ended, although no token says so. */
  private boolean dataEnded;

  /** Reader of the part behind a seam, once this one has ended. */
  private @Nullable BlockReader behind;

  public BlockReader(InputBuffer in, FormatReader format, Owner owner) {
    this.in = in;
    this.format = format;
    this.owner = owner;
  }

  private static VarHandle view(Class<?> arrayType) {
    return MethodHandles.byteArrayViewVarHandle(arrayType, ByteOrder.BIG_ENDIAN);
  }

  public boolean isBlockMode() {
    return blockMode;
  }

  /**
   * Switches block mode; entering it begins before the next block. Leaving it inside a block is an
   * error, unless nothing but the block's header has been read, nothing more has come, or the
   * source has failed, as with the JDK.
   */
  public void setBlockMode(boolean mode) {
    if (blockMode == mode) {
      return;
    }
    if (!mode && left > 0 && left != announced && in.remaining() > 0) {
      throw new IllegalStateException("unread block data");
    }
    left = 0;
    ended &= !mode;
    blockMode = mode;
  }

  /**
   * Bytes beyond those that have been read that the JDK's streams have taken by now: the rest of
   * the block, or the token behind the last one.
   */
  public int bytesAhead() {
    if (!blockMode || dataEnded || left == announced && left > 0) {
      return 0;
    }
    return left > 0 ? Math.min(left, MAXIMUM_PIECE) : ended ? 1 : 0;
  }

  /**
   * Whether the data of the current class has ended, although no token says so: the fields of a
   * class without {@code writeObject} have been read.
   */
  public boolean isDataEnded() {
    return dataEnded;
  }

  /** Sets that. */
  public void setDataEnded(boolean dataEnded) {
    this.dataEnded = dataEnded;
  }

  /** Whether block mode is on, and no block has begun. */
  public boolean isBetweenBlocks() {
    return blockMode && left == 0;
  }

  /** Goes on between blocks behind a value that has been read. */
  public void passValue() {
    ended = false;
  }

  /** Bytes left in the current block, in block mode. */
  public int left() {
    return left;
  }

  /**
   * Skips what has come of the current block, as closing the stream inside an object does: the
   * JDK's has read it. It does not wait for the rest.
   */
  public void close() {
    try {
      while (left > 0 && in.hasArrived(1)) {
        skipInBlock(Math.min(left, in.remaining()));
      }
    } catch (IOException e) {
      left = 0; // as reading on will tell, if anyone does
    }
    abandon();
  }

  /** Forgets the current block. */
  public void abandon() {
    if (blockMode) {
      left = 0;
      ended = true;
    }
  }

  /** Skips to the end of the blocks. */
  public void skipBlocks() throws IOException {
    while (nextBlock()) {
      skipInBlock(left);
    }
  }

  /** Goes to the next byte of a block; false if there are no more blocks. */
  public boolean nextBlock() throws IOException {
    if (left == 0 && !ended) {
      readBlockHeader();
      /* Apart: empty blocks are rare, and code without a loop costs the JIT less. */
      while (left == 0 && !ended) {
        readBlockHeader();
      }
    }
    return left > 0;
  }

  /** As {@link #nextBlock}, and makes sure that the block's first byte has arrived. */
  public void peekBlock() throws IOException {
    if (nextBlock()) {
      require(1);
    }
  }

  private void readBlockHeader() throws IOException {
    announced = 0;
    if (dataEnded) {
      ended = true;
      return;
    }
    int length = format.takeBlockLength();
    if (length >= 0) {
      left = length;
      return;
    }
    int token;
    try {
      token = format.peek();
      if (token == Token.BLOCK) {
        left = format.readBlockLength();
        return;
      }
    } catch (EOFException e) {
      throw new StreamCorruptedException("unexpected EOF while reading block data header");
    }
    if (token == Token.RESET || token == Token.RESET_OBJECTS) {
      format.skipToken();
      owner.handleReset(token);
    } else {
      behind = token == Token.SEAM ? owner.passSeam() : null;
      ended = true;
    }
  }

  /**
   * Fetches {@code count} bytes of the current block into the buffer. If the source ends or fails,
   * nothing is left of the block, so that the end of the object does not fail once more and hide
   * why; as with the JDK, an error that is no {@link IOException} leaves it as it is.
   */
  private void require(int count) throws IOException {
    try {
      if (in.remaining() == 0) {
        in.requireSome(left);
      }
      if (in.comes(count)) {
        return;
      }
    } catch (IOException e) {
      loseBlock();
      throw e;
    }
    loseBlock();
    throw new StreamCorruptedException("unexpected EOF in middle of data block");
  }

  private void loseBlock() {
    left = 0;
    ended = true;
  }

  private void skipInBlock(int count) throws IOException {
    int rest = count;
    while (rest > 0) {
      require(1);
      int piece = Math.min(rest, in.remaining());
      in.position += piece;
      left -= piece;
      rest -= piece;
    }
  }

  @Override
  public int read() throws IOException {
    if (!blockMode) {
      return in.comes(1) ? in.bytes[in.position++] & 0xFF : -1;
    }
    if (left == 0 && !nextBlock()) {
      return behind == null ? -1 : behind.read();
    }
    require(1);
    left--;
    return in.bytes[in.position++] & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    int count;
    if (blockMode) {
      if (!nextBlock()) {
        return behind == null ? -1 : behind.read(bytes, offset, length);
      }
      require(1);
      count = arrived(Math.min(length, left));
      left -= count;
    } else if (in.remaining() == 0) {
      return readRaw(bytes, offset, length);
    } else {
      count = (int) Math.min(length, in.sureBytes());
      in.require(count);
    }
    System.arraycopy(in.bytes, in.position, bytes, offset, count);
    in.position += count;
    return count;
  }

  /**
   * How many of {@code wanted} bytes of a block can be copied, which may have to be waited for. As
   * programs that forget to read in a loop rely on, a piece is not cut where the buffer happens to
   * end, unless it is longer than a block of the JDK's streams.
   */
  private int arrived(int wanted) throws IOException {
    int least = Math.min(wanted, MAXIMUM_PIECE);
    if (in.remaining() < least) {
      int before = announced;
      announced = left; // the source's exception must not be hidden
      in.comes(least);
      announced = before;
    }
    return Math.min(wanted, in.remaining());
  }

  /** Reads bytes outside blocks by one call of the source; the buffer is empty. */
  private int readRaw(byte[] bytes, int offset, int length) throws IOException {
    try {
      int count = in.readDirectly(bytes, offset, length);
      if (count > 0) {
        return count;
      }
    } catch (EOFException e) {
      if (in.hasEnded()) {
        return -1;
      }
      throw e;
    }
    if (!in.requireSome(length)) {
      return -1;
    }
    int count = Math.min(length, in.remaining());
    System.arraycopy(in.bytes, in.position, bytes, offset, count);
    in.position += count;
    return count;
  }

  @Override
  public int available() throws IOException {
    if (!blockMode) {
      return in.available();
    }
    while (left == 0 && !ended && format.hasArrivedToBlock()) {
      readBlockHeader();
      announced = left;
    }
    if (behind != null) {
      return behind.available();
    }
    return left <= in.remaining() ? left : Math.min(left, in.available());
  }

  @Override
  public long skip(long count) throws IOException {
    long rest = count;
    while (rest > 0) {
      if (blockMode && !nextBlock()) {
        return count - rest + (behind == null ? 0 : behind.skip(rest));
      }
      if (!blockMode && !in.requireSome(1)) {
        break;
      }
      int piece = (int) Math.min(rest, blockMode ? left : in.remaining());
      if (blockMode) {
        skipInBlock(piece);
      } else {
        in.position += piece;
      }
      rest -= piece;
    }
    return count - rest;
  }

  public int skipBytes(int count) throws IOException {
    return (int) skip(count);
  }

  public void readFully(byte[] bytes, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int count = read(bytes, offset + done, length - done);
      if (count < 0) {
        throw new EOFException();
      }
      done += count;
    }
  }

  public int readUnsignedByte() throws IOException {
    int value = read();
    if (value < 0) {
      throw new EOFException();
    }
    return value;
  }

  public int readUnsignedShort() throws IOException {
    if (isAtHand(2)) {
      left -= 2;
      in.position += 2;
      return (short) SHORTS.get(in.bytes, in.position - 2) & 0xFFFF;
    }
    int high = readUnsignedByte();
    return high << 8 | readUnsignedByte();
  }

  public int readInt() throws IOException {
    if (isAtHand(4)) {
      left -= 4;
      in.position += 4;
      return (int) INTS.get(in.bytes, in.position - 4);
    }
    int high = readUnsignedShort();
    return high << 16 | readUnsignedShort();
  }

  /** Whether this many bytes of the current block are in the buffer. */
  private boolean isAtHand(int count) throws IOException {
    if (left == 0 && !(blockMode && nextBlock())) {
      return false;
    }
    return count <= left && count <= in.remaining();
  }

  public long readLong() throws IOException {
    if (isAtHand(8)) {
      left -= 8;
      in.position += 8;
      return (long) LONGS.get(in.bytes, in.position - 8);
    }
    long high = readInt();
    return high << 32 | readInt() & 0xFFFFFFFFL;
  }

  /** Reads a line the way {@link DataInputStream} does. */
  @SuppressWarnings("deprecation")
  public @Nullable String readLine() throws IOException {
    if (lines == null) {
      lines = new DataInputStream(this);
    }
    return lines.readLine();
  }

  /** Reads modified UTF-8 behind a length of two bytes. */
  public String readUtf() throws IOException {
    int lengthBytes = readUnsignedShort();
    if (!blockMode) {
      return ModifiedUtf8.read(in, lengthBytes);
    }
    if (lengthBytes <= Math.min(left, in.remaining())) {
      int start = in.position;
      try {
        String text = ModifiedUtf8.read(in, lengthBytes);
        left -= lengthBytes;
        return text;
      } catch (UTFDataFormatException e) {
        in.position = start; // as the JDK's, the stream goes on behind the wrong character
      }
    }
    StringBuilder text = new StringBuilder();
    for (int rest = lengthBytes; rest > 0; ) {
      rest -= readCharacter(text, rest);
    }
    return text.toString();
  }

  /**
   * Reads one character, which may be in two blocks; returns its length, at most {@code rest}
   * bytes. Behind a wrong one the stream goes on behind as many bytes as its first one says.
   */
  private int readCharacter(StringBuilder text, int rest) throws IOException {
    int first = readUnsignedByte();
    if (first < 0x80) {
      text.append((char) first);
      return 1;
    }
    int size = first >> 5 == 0b110 ? 2 : first >> 4 == 0b1110 ? 3 : 1;
    boolean wrong = size == 1 || size > rest;
    int value = first & 0xFF >> size + 1;
    for (int i = 1; i < Math.min(size, rest); i++) {
      int next = readUnsignedByte();
      wrong |= (next & 0xC0) != 0x80;
      value = value << 6 | next & 0x3F;
    }
    if (wrong) {
      throw new UTFDataFormatException();
    }
    text.append((char) value);
    return size;
  }
}

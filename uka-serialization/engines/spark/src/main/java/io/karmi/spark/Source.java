package io.karmi.spark;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** A block's bytes with a look at the next one, and a count of those that were read. */
final class Source extends InputStream {
  private static final int BUFFER_BYTES = 1 << 13;

  private static final int STEP_BYTES = 1 << 16;

  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int position;
  private int limit;

  /** The offset in the block of the byte at {@link #limit}. */
  private long fetched;

  Source(InputStream in) {
    this.in = in;
  }

  /** The offset in the block of the next byte. */
  long offset() {
    return fetched - (limit - position);
  }

  private boolean fetch() throws IOException {
    int count;
    do {
      count = in.read(buffer, 0, buffer.length);
    } while (count == 0);
    position = 0;
    limit = Math.max(count, 0);
    fetched += limit;
    return count > 0;
  }

  /** The next byte, which stays; −1 at the end. */
  int peek() throws IOException {
    return position < limit || fetch() ? buffer[position] & 0xFF : -1;
  }

  /** The byte behind the next one; both stay. −1 if there is none. */
  int peekSecond() throws IOException {
    if (peek() >= 0 && limit - position < 2) {
      buffer[0] = buffer[position];
      position = 0;
      limit = 1;
      int count;
      do {
        count = in.read(buffer, 1, buffer.length - 1);
      } while (count == 0);
      limit += Math.max(count, 0);
      fetched += Math.max(count, 0);
    }
    return limit - position < 2 ? -1 : buffer[position + 1] & 0xFF;
  }

  @Override
  public int read() throws IOException {
    return position < limit || fetch() ? buffer[position++] & 0xFF : -1;
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (position >= limit) {
      if (length >= buffer.length) {
        int count = in.read(to, offset, length);
        fetched += Math.max(count, 0);
        return count;
      }
      if (!fetch()) {
        return -1;
      }
    }
    int count = Math.min(length, limit - position);
    System.arraycopy(buffer, position, to, offset, count);
    position += count;
    return count;
  }

  @Override
  public int available() throws IOException {
    return limit - position + in.available();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  /**
   * Reads bytes into an array, of which only as much is made as bytes arrive.
   *
   * @param array to use if it is long enough
   * @throws EOFException if there are fewer
   */
  byte[] readInto(byte[] array, int length) throws IOException {
    byte[] bytes = array.length >= length ? array : new byte[Math.min(length, STEP_BYTES)];
    int done = 0;
    while (done < length) {
      if (done == bytes.length) {
        bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * bytes.length));
      }
      int count = read(bytes, done, Math.min(bytes.length, length) - done);
      if (count < 0) {
        throw new EOFException(length + " bytes are announced, and " + done + " are there");
      }
      done += count;
    }
    return bytes;
  }

  /** Reads an unsigned number, seven bits a byte, lowest first. */
  int readNumber() throws IOException {
    int value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      int next = read();
      if (next < 0) {
        throw new EOFException("inside a length");
      }
      value |= (next & 0x7F) << shift;
      if (next < 0x80) {
        if (value < 0) {
          break;
        }
        return value;
      }
    }
    throw new java.io.StreamCorruptedException(
        "no length before byte " + offset() + " of the block: is it damaged?");
  }
}

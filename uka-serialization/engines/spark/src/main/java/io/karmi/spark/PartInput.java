package io.karmi.spark;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StreamCorruptedException;

/** The bytes of a UKA stream that came as units of kind PART, until the LAST_PART. */
final class PartInput extends InputStream {
  private final Source source;
  private int left;
  private boolean last;

  /** The head of the first part has been read. */
  PartInput(Source source, boolean last, int length) {
    this.source = source;
    this.last = last;
    left = length;
  }

  private boolean hasMore() throws IOException {
    while (left == 0) {
      if (last) {
        return false;
      }
      int kind = source.read();
      if (kind != Units.PART && kind != Units.LAST_PART) {
        if (kind < 0) {
          throw new EOFException("a stream in parts has no last one");
        }
        throw new StreamCorruptedException(
            "no part of a stream at byte " + (source.offset() - 1) + " of the block");
      }
      last = kind == Units.LAST_PART;
      left = source.readNumber();
    }
    return true;
  }

  @Override
  public int read() throws IOException {
    if (!hasMore()) {
      return -1;
    }
    int value = source.read();
    if (value < 0) {
      throw new EOFException(left + " bytes of a part are missing");
    }
    left--;
    return value;
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!hasMore()) {
      return -1;
    }
    int count = source.read(to, offset, Math.min(length, left));
    if (count < 0) {
      throw new EOFException(left + " bytes of a part are missing");
    }
    left -= count;
    return count;
  }

  @Override
  public int available() throws IOException {
    return Math.min(left, source.available());
  }
}

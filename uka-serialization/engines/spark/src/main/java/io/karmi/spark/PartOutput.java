package io.karmi.spark;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** The bytes of a UKA stream, which go out as units of kind PART, and LAST_PART at its end. */
final class PartOutput extends OutputStream {
  private static final int FIRST_BYTES = 1 << 10;

  private final OutputStream out;
  private byte[] bytes = new byte[FIRST_BYTES];
  private int position = Units.HEAD_BYTES;

  PartOutput(OutputStream out) {
    this.out = out;
  }

  @Override
  public void write(int value) throws IOException {
    makeRoom(1);
    bytes[position++] = (byte) value;
  }

  @Override
  public void write(byte[] from, int offset, int length) throws IOException {
    makeRoom(length);
    if (bytes.length - position < length) {
      int begin = Units.putHead(bytes, Units.PART, length);
      out.write(bytes, begin, Units.HEAD_BYTES - begin);
      out.write(from, offset, length);
      return;
    }
    System.arraycopy(from, offset, bytes, position, length);
    position += length;
  }

  private void makeRoom(int length) throws IOException {
    if (bytes.length - position < length && bytes.length < Units.FULL_BYTES) {
      int wanted = Math.max(2 * bytes.length, position + Math.min(length, Units.FULL_BYTES));
      bytes = Arrays.copyOf(bytes, Math.min(wanted, Units.FULL_BYTES));
    }
    if (bytes.length - position < length) {
      handOver(Units.PART);
    }
  }

  private void handOver(int kind) throws IOException {
    int length = position - Units.HEAD_BYTES;
    if (length > 0 || kind == Units.LAST_PART) {
      int begin = Units.putHead(bytes, kind, length);
      out.write(bytes, begin, position - begin);
      position = Units.HEAD_BYTES;
    }
  }

  /** Ends the stream's bytes; the block goes on. */
  void end() throws IOException {
    handOver(Units.LAST_PART);
  }
}

package io.karmi.uka.buffer;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * A buffer in front of an {@link OutputStream}: whole messages leave in one {@code write}, larger
 * ones in chunks.
 *
 * <pre>
 * frame = length (LEB128, at least 1) | that many bytes
 * </pre>
 *
 * <p>The length lets the reader take all bytes of a message at once, and no byte that belongs to
 * somebody else (paper 3.4a). Without framing the bytes leave as they are: the header of a stream,
 * and formats that frame themselves.
 *
 * <p>Nothing is flushed, and the array is reused: the sink must have copied it when {@code write}
 * returns.
 */
public final class FrameOutput extends OutputBuffer {
  /** From this size on a message leaves in pieces. */
  private static final int CHUNK_BYTES = 1 << 16;

  private static final int INITIAL_BYTES = 512;
  private static final int LENGTH_BYTES = 5;

  private final OutputStream sink;
  private boolean framed;

  public FrameOutput(OutputStream sink) {
    super(INITIAL_BYTES);
    this.sink = sink;
    position = LENGTH_BYTES;
  }

  /**
   * Whether lengths are written from now on. What has been buffered leaves first, as it was meant.
   */
  public void setFramed(boolean framed) throws IOException {
    deliver();
    this.framed = framed;
  }

  @Override
  protected void makeRoom(int lengthBytes) throws IOException {
    if (position >= CHUNK_BYTES) {
      deliver();
    }
    if (bytes.length - position < lengthBytes) {
      super.makeRoom(lengthBytes);
    }
  }

  /**
   * Grows at once for an array that would more than double the buffer: most streams carry but one
   * such.
   */
  @Override
  public void expect(long lengthBytes) {
    long needed = Math.min(position + lengthBytes + INITIAL_BYTES, 2 * CHUNK_BYTES);
    if (lengthBytes > bytes.length && needed > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) needed);
    }
  }

  @Override
  public void deliver() throws IOException {
    int length = position - LENGTH_BYTES;
    if (length == 0) {
      return;
    }
    int start = framed ? putLength(length) : LENGTH_BYTES;
    int end = position;
    /* What the sink refuses stays, so that the next flush fails as well. */
    sink.write(bytes, start, end - start);
    position = LENGTH_BYTES;
    if (bytes.length > 4 * CHUNK_BYTES) {
      bytes = new byte[INITIAL_BYTES];
    }
  }

  /** Puts the length right in front of the bytes, so that both leave in one write. */
  private int putLength(int length) {
    int start = LENGTH_BYTES - (38 - Integer.numberOfLeadingZeros(length)) / 7;
    int at = start;
    int rest = length;
    while (rest > 0x7F) {
      bytes[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[at] = (byte) rest;
    return start;
  }

  /** The bytes that wait to be delivered. */
  public byte[] pending() {
    return Arrays.copyOfRange(bytes, LENGTH_BYTES, position);
  }
}

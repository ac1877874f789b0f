package io.karmi.uka.buffer;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

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

  /** A stream that a program opens for one message needs no more, mostly. */
  private static final int FIRST_BYTES = 128;

  private static final int OWN_BYTES = 512;
  private static final int LENGTH_BYTES = 5;

  /**
   * What no frame begins with, as a stream does: so a reader notices a stream that has been
   * appended to another. This length takes two bytes, one more than it needs.
   */
  static final int NO_LENGTH = 'U';

  private final OutputStream sink;

  /** The array of small messages; others are written in one that is borrowed. */
  private byte[] own;

  private boolean framed;

  public FrameOutput(OutputStream sink) {
    super(FIRST_BYTES);
    this.sink = sink;
    own = bytes;
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
      long needed = position + (long) lengthBytes;
      if (lengthBytes >= 0 && needed <= SpareArrays.LENGTH) {
        enlarge(needed);
      } else {
        super.makeRoom(lengthBytes);
      }
    }
  }

  private void enlarge(long neededBytes) {
    boolean borrows = bytes != own || neededBytes > OWN_BYTES;
    byte[] larger = borrows ? SpareArrays.take() : new byte[OWN_BYTES];
    System.arraycopy(bytes, 0, larger, 0, position);
    bytes = larger;
    if (!borrows) {
      own = larger;
    }
  }

  /** Grows at once for an array, which then leaves in as large pieces as there are. */
  @Override
  public void expect(long lengthBytes) {
    if (lengthBytes > bytes.length - position && bytes.length < SpareArrays.LENGTH) {
      enlarge(position + lengthBytes);
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
    if (bytes != own) {
      SpareArrays.give(bytes);
      bytes = own;
    }
  }

  /** Puts the length right in front of the bytes, so that both leave in one write. */
  private int putLength(int length) {
    if (length == NO_LENGTH) {
      bytes[LENGTH_BYTES - 2] = (byte) (length | 0x80);
      bytes[LENGTH_BYTES - 1] = 0;
      return LENGTH_BYTES - 2;
    }
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

  /** The first four bytes that wait to be delivered, the highest first; 0 if there are fewer. */
  public int pendingInt() {
    return position - LENGTH_BYTES < Integer.BYTES
        ? 0
        : ByteBuffer.wrap(bytes).getInt(LENGTH_BYTES);
  }
}

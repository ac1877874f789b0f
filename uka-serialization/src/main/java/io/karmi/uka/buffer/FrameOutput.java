package io.karmi.uka.buffer;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
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
 * another protocol (paper 3.4a). Without framing the bytes leave as they are: the header of a
 * stream, and formats that frame themselves.
 *
 * <p>Nothing is flushed, and the array is reused: the sink must have copied it when {@code write}
 * returns.
 */
public final class FrameOutput extends OutputBuffer {
  /** From this size on a message leaves in pieces. */
  private static final int CHUNK_BYTES = 1 << 16;

  /** How bytes leave. */
  private enum Framing {
    /** As they are, and there have been none. */
    NOTHING_YET,
    AS_THEY_ARE,
    /** Behind a seam the first time, then in frames. */
    SEAM,
    FRAMES
  }

  /** A stream that a program opens for one message needs no more, mostly. */
  private static final int FIRST_BYTES = 128;

  private static final int OWN_BYTES = 512;
  private static final int LENGTH_BYTES = 5;

  /**
   * What no frame begins with, as a stream does: so a reader notices a stream that has been
   * appended to another. This length takes two bytes, one more than it needs.
   */
  static final int NO_LENGTH = 'U';

  /** The rest of a seam, from the highest byte on; with {@link #NO_LENGTH} in front. */
  static final int SEAM_REST = 'K' << 16 | 'A' << 8 | 0x81;

  /**
   * What stands in front of the first frame where a stream has no header: the header with the
   * highest bit set, and a frame that holds nothing but a reset. So it can continue a stream, in
   * whichever format that is.
   */
  private static final byte[] SEAM = {NO_LENGTH, 'K', 'A', (byte) SEAM_REST, 1, 0x0D};

  /** What a marshaler may have written beyond what it has kept. */
  private static final int SLACK_BYTES = 64;

  private final OutputStream sink;

  /** Whether the sink may be given arrays that other streams use later. */
  private final boolean lends;

  /** The array of small messages; others are written in one that is borrowed. */
  private byte[] own;

  private Framing framing = Framing.NOTHING_YET;

  public FrameOutput(OutputStream sink) {
    super(FIRST_BYTES);
    this.sink = sink;
    lends = SpareArrays.maySee(sink.getClass());
    own = bytes;
    position = LENGTH_BYTES;
  }

  /**
   * Ends what leaves as it is: from now on lengths are written. What has been buffered leaves
   * first. If there has been nothing, the first bytes say that frames begin.
   */
  public void beginFrames() throws IOException {
    deliver();
    framing = framing == Framing.NOTHING_YET ? Framing.SEAM : Framing.FRAMES;
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
    /* What the sink refuses stays, so that the next flush fails as well. */
    if (framing == Framing.FRAMES) {
      int start = putLength(length);
      deliver(start, LENGTH_BYTES + length - start);
    } else {
      deliverFirst(length);
    }
    int used = position + SLACK_BYTES;
    position = LENGTH_BYTES;
    if (bytes != own) {
      SpareArrays.give(bytes, used);
      bytes = own;
    }
  }

  /** A program's own sink gets a copy of what is in an array that is borrowed. */
  private void deliver(int start, int lengthBytes) throws IOException {
    if (lends || bytes.length != SpareArrays.LENGTH) {
      sink.write(bytes, start, lengthBytes);
    } else {
      sink.write(Arrays.copyOfRange(bytes, start, start + lengthBytes), 0, lengthBytes);
    }
  }

  private void deliverFirst(int length) throws IOException {
    if (framing == Framing.SEAM) {
      int start = putLength(length);
      int frameBytes = LENGTH_BYTES + length - start;
      byte[] both = Arrays.copyOf(SEAM, SEAM.length + frameBytes);
      System.arraycopy(bytes, start, both, SEAM.length, frameBytes);
      sink.write(both, 0, both.length);
      framing = Framing.FRAMES;
    } else {
      deliver(LENGTH_BYTES, length);
      framing = Framing.AS_THEY_ARE;
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

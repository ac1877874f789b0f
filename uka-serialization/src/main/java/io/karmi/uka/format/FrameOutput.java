package io.karmi.uka.format;

import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Buffer in front of an {@link OutputStream}, which delivers whole messages in one {@code write},
 * and larger ones in chunks.
 *
 * <pre>
 * frame = length (LEB128, at least 1) | that many bytes
 * </pre>
 *
 * <p>With the length the reader can fetch a whole message at once, and no byte beyond it (paper
 * 3.4a). Headers, and formats that frame themselves, leave without framing.
 *
 * <p>Nothing is flushed. The array is reused: the sink must not use it after {@code write}.
 */
public final class FrameOutput extends OutputBuffer {
  /** Size from which on a message is delivered in chunks. */
  private static final int CHUNK_BYTES = 1 << 16;

  /** Form in which bytes are delivered. */
  private enum Framing {
    /** Without framing; there have been no bytes. */
    NOTHING_YET,
    AS_THEY_ARE,
    /** Behind a seam the first time, then in frames. */
    SEAM,
    FRAMES
  }

  /** Size of the first array for a message, mostly enough for a small one. */
  private static final int FIRST_BYTES = 128;

  /**
   * Size of the largest array of the stream's own; each is four times as large as the one before.
   */
  private static final int OWN_BYTES = SpareArrays.SMALL_LENGTH;

  /** Size up to which a fresh array is as cheap as a borrowed one. */
  private static final int FEW_BYTES = 512;

  private static final int LENGTH_BYTES = 5;

  /** Array of all streams before their first message, in which there is no room. */
  private static final byte[] NO_ROOM = new byte[LENGTH_BYTES];

  /**
   * First byte of a stream, and of no frame, so that a reader notices a stream that was appended to
   * another. A frame of this length is written with a length of two bytes.
   */
  static final int NO_LENGTH = 'U';

  /** The other bytes of a seam, big-endian, behind {@link #NO_LENGTH}. */
  static final int SEAM_REST = 'K' << 16 | 'A' << 8 | 0x81;

  /**
   * Seam in front of the first frame of a stream without header, which so can continue a stream in
   * any format: the header with the highest bit set, and a frame with a reset.
   */
  private static final byte[] SEAM = {NO_LENGTH, 'K', 'A', (byte) SEAM_REST, 1, 0x0D};

  /** Bytes that a marshaler may have written behind the position. */
  private static final int SLACK_BYTES = 64;

  private final OutputStream sink;

  /**
   * Array for small messages, if the sink may not see a borrowed one; large ones are written to a
   * borrowed array.
   */
  private byte[] own;

  private Framing framing = Framing.NOTHING_YET;

  public FrameOutput(OutputStream sink) {
    super(NO_ROOM);
    this.sink = sink;
    own = NO_ROOM;
    position = LENGTH_BYTES;
  }

  /** Delivers the four bytes of a stream's header, big-endian, without framing. */
  public void deliverHeader(int header) throws IOException {
    byte[] four = {
      (byte) (header >> 24), (byte) (header >> 16), (byte) (header >> 8), (byte) header
    };
    sink.write(four, 0, four.length);
    framing = Framing.AS_THEY_ARE;
  }

  /**
   * Begins framing, after buffered bytes have been delivered. If there have been no bytes, a seam
   * is written first.
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
    byte[] full = bytes;
    boolean lent = full != own;
    if (neededBytes > OWN_BYTES) {
      bytes = SpareArrays.take();
    } else if (neededBytes > FEW_BYTES && SpareArrays.maySee(sink.getClass())) {
      bytes = SpareArrays.takeSmall();
    } else {
      long length = own.length < FIRST_BYTES ? FIRST_BYTES : Math.min(4L * own.length, OWN_BYTES);
      own = new byte[(int) Math.max(length, neededBytes)];
      bytes = own;
    }
    System.arraycopy(full, 0, bytes, 0, position);
    if (lent) {
      SpareArrays.give(full, position + SLACK_BYTES);
    }
  }

  /** Grows at once for an array, which is then delivered in large chunks. */
  @Override
  public void expect(long lengthBytes) {
    if (lengthBytes > bytes.length - position && bytes.length < SpareArrays.LENGTH) {
      enlarge(position + lengthBytes);
    }
  }

  /* The array has the length of the message, which mostly follows the header. */
  @Override
  public void expectMessage(int lengthBytes) {
    long length = position + (long) lengthBytes;
    if (length <= bytes.length || bytes != own) {
      return;
    }
    if (length > OWN_BYTES || length > FEW_BYTES && SpareArrays.maySee(sink.getClass())) {
      enlarge(length);
    } else {
      own = position == LENGTH_BYTES ? new byte[(int) length] : Arrays.copyOf(own, (int) length);
      bytes = own;
    }
  }

  @Override
  public void deliver() throws IOException {
    int length = position - LENGTH_BYTES;
    if (length == 0) {
      return;
    }
    /* Bytes that the sink refuses stay, so that the next flush fails, too. */
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

  /** Delivers bytes; a program's own sink gets a copy of a borrowed array. */
  private void deliver(int start, int lengthBytes) throws IOException {
    if (bytes.length != SpareArrays.LENGTH || SpareArrays.maySee(sink.getClass())) {
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

  /** Stores the length in front of the bytes; returns the index of its first byte. */
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

  /** The first four buffered bytes, big-endian; 0 if there are fewer. */
  public int pendingInt() {
    return position - LENGTH_BYTES < Integer.BYTES
        ? 0
        : ByteBuffer.wrap(bytes).getInt(LENGTH_BYTES);
  }
}

package io.karmi.uka.format;

import io.karmi.uka.buffer.InputBuffer;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StreamCorruptedException;
import java.util.Arrays;

/**
 * Buffer behind an {@link InputStream}, which reads what {@link FrameOutput} has framed, and no
 * byte beyond.
 *
 * <p>The array grows with the bytes that arrive, whatever the length of a frame. Without framing
 * only the bytes asked for and those sure to follow are fetched; from a {@link
 * ByteArrayInputStream} more, which are given back.
 *
 * <p>With framing, a source that ends inside a frame or a value is corrupt, and not at its end: to
 * many programs an {@link EOFException} is the end of all objects.
 */
public final class FrameInput extends InputBuffer {
  /** First byte of a seam, which is no token of any format. */
  public static final byte SEAM = FrameOutput.NO_LENGTH;

  /** Size of the first array, mostly enough for a stream of one message. */
  private static final int FIRST_BYTES = 128;

  private static final int OWN_BYTES = 512;
  private static final int STEP_BYTES = 1 << 16;

  /** Bytes of a frame that are fetched together; the rest of a larger frame when asked for. */
  private static final int WINDOW_BYTES = 1 << 14;

  /** Bytes that the JDK's streams fetch of a block together. */
  private static final int BLOCK_BYTES = 1024;

  private static final int MAXIMUM_BYTES = Integer.MAX_VALUE - 8;

  /**
   * Bytes that follow in any case: if the writer fails in the middle of a value, it sends an
   * exception, which is longer.
   */
  private static final int MAXIMUM_FOLLOWING = 256;

  private static final int MAXIMUM_AHEAD = 1 << 14;

  private static final int WHOLE_SEAM = FrameOutput.NO_LENGTH << 24 | FrameOutput.SEAM_REST;
  private static final int REFUSED = -1;

  private final InputStream source;

  /** Whether the source may see arrays that other streams use later. */
  private final boolean lends;

  /** Bytes of the borrowed array that have been used. */
  private int usedBytes;

  /** Array for small messages; large ones are read into a borrowed array. */
  private byte[] own;

  /** Whether bytes can be given back to the source. */
  private final boolean rewindable;

  private boolean readingAhead;
  private boolean framed;
  private int frameBytesLeft;
  private long fetchedBytes;
  private int firstInt;

  /** Whether the source has the array and has not returned, so that it may still write to it. */
  private boolean lent;

  /** Whether the source has said that it has ended, when it was asked last. */
  private boolean ended;

  private final byte[] oneByte = new byte[1];

  /** The bits of a frame's length that have arrived. */
  private int lengthSoFar;

  private int lengthShift;

  /**
   * The bytes of a seam that have arrived in the place of a frame; {@link #REFUSED} if they turned
   * out to be something else, such as the header of another stream.
   */
  private int seamSoFar;

  public FrameInput(InputStream source) {
    super(new byte[firstBytes(source)], 0, 0);
    this.source = source;
    own = bytes;
    rewindable = source.getClass() == ByteArrayInputStream.class;
    lends = rewindable || SpareArrays.maySee(source.getClass());
  }

  private static int firstBytes(InputStream source) {
    return source.getClass() == ByteArrayInputStream.class
        ? Math.max(Long.BYTES, Math.min(((ByteArrayInputStream) source).available(), OWN_BYTES))
        : FIRST_BYTES;
  }

  /** Begins framing. Bytes that were read ahead are given back. */
  public void beginFrames() throws IOException {
    endMessage();
    framed = true;
  }

  /**
   * Reads a seam, behind which frames begin.
   *
   * @return false if it is none; then the stream cannot be read any further
   */
  public boolean takeSeam() throws IOException {
    if (!comes(Integer.BYTES)) {
      return false;
    }
    boolean isSeam = Integer.reverseBytes(readInt()) == WHOLE_SEAM;
    position -= isSeam ? 0 : Integer.BYTES;
    return isSeam;
  }

  /** Number of bytes that have been consumed, with the lengths of frames. */
  public long consumedBytes() {
    return Math.max(0, fetchedBytes - remaining());
  }

  @Override
  public long passedBytes() {
    return fetchedBytes;
  }

  /** The first four bytes, big-endian; 0 as long as fewer have been fetched. */
  public int firstInt() {
    return fetchedBytes < 4 ? 0 : firstInt;
  }

  @Override
  public int available() throws IOException {
    long available = (long) remaining() + source.available();
    return (int) Math.min(available, Integer.MAX_VALUE);
  }

  @Override
  protected void fill(int lengthBytes) throws IOException {
    try {
      fetchAll(lengthBytes);
    } catch (EOFException e) {
      if (framed) {
        throw endsInside();
      }
      position = limit; // else a later read would take the rest for a value of its own
      throw e;
    }
  }

  @Override
  public boolean comes(int lengthBytes) throws IOException {
    if (remaining() >= lengthBytes) {
      return true;
    }
    try {
      fetchAll(lengthBytes);
      return true;
    } catch (EOFException e) {
      return endsBy(e);
    }
  }

  @Override
  public boolean hasEnded() {
    return ended;
  }

  /**
   * Returns false, as what has been asked for does not come.
   *
   * @throws EOFException if it is one of the source's own, which may tell more
   */
  private boolean endsBy(EOFException exception) throws EOFException {
    if (!ended) {
      throw exception;
    }
    return false;
  }

  @Override
  public IOException endsInside() {
    return framed
        ? new StreamCorruptedException("the stream ends inside a value or a frame")
        : super.endsInside();
  }

  /*
   * Its assertions make it too large to be inlined, with all of the source, wherever a byte is read
   * (decision 0023).
   */
  private void fetchAll(int lengthBytes) throws IOException {
    if (lengthBytes < 0) {
      throw new StreamCorruptedException("negative length: " + lengthBytes);
    }
    assert position >= 0 && position <= limit && limit <= bytes.length
        : "bytes " + position + " to " + limit + " of " + bytes.length;
    compact();
    while (limit < lengthBytes) {
      int wanted = Math.min(lengthBytes - limit, Math.max(STEP_BYTES, limit));
      if (framed) {
        beginFrame();
        assert frameBytesLeft > 0 : "a frame of " + frameBytesLeft + " bytes";
        fetchOfFrame(Math.min(frameBytesLeft, Math.max(wanted, WINDOW_BYTES)));
      } else {
        fetch(wanted, wanted + bytesAhead(wanted));
      }
    }
    assert position == 0 && limit <= bytes.length
        : "bytes " + position + " to " + limit + " of " + bytes.length + " behind a fill";
  }

  /** Fetches bytes of a frame; if it is cut off, as if it had not begun. */
  private void fetchOfFrame(int lengthBytes) throws IOException {
    int before = limit;
    try {
      fetch(lengthBytes, lengthBytes);
    } catch (EOFException e) {
      limit = before;
      throw e;
    }
  }

  @Override
  public int readDirectly(byte[] to, int offset, int lengthBytes) throws IOException {
    int wanted = lengthBytes;
    if (framed) {
      if (!comesFrame()) {
        throw endsInside();
      }
      wanted = Math.min(wanted, frameBytesLeft);
    }
    ended = false;
    int count = source.read(to, offset, wanted);
    if (count < 0) {
      ended = true;
      throw endsInside();
    }
    countFetched(to, offset, count);
    return count;
  }

  @Override
  public boolean hasArrived(int lengthBytes) throws IOException {
    while (remaining() < lengthBytes) {
      int atHand = source.available();
      if (atHand <= 0) {
        return false;
      }
      try {
        fetchAtHand(Math.min(atHand, lengthBytes - remaining()));
      } catch (EOFException e) {
        return endsBy(e); // there are sources that say 1 at their end
      }
    }
    return true;
  }

  private void fetchAtHand(int atHand) throws IOException {
    if (framed && frameBytesLeft == 0) {
      takeLengthByte();
      return;
    }
    int wanted = framed ? Math.min(atHand, frameBytesLeft) : atHand;
    compact();
    fetch(wanted, wanted);
  }

  /** Bytes beyond {@code wanted} that are sure to be asked for, or can be given back. */
  private int bytesAhead(int wanted) {
    if (!readingAhead) {
      return Math.min(following, MAXIMUM_FOLLOWING);
    }
    return Math.max(0, Math.min(MAXIMUM_AHEAD, 2 * limit + bytes.length) - wanted);
  }

  @Override
  public boolean requireSome(int lengthBytes) throws IOException {
    if (remaining() > 0) {
      return true;
    }
    if (framed) {
      boolean comes = comesFrame();
      if (comes) {
        require(1);
      }
      return comes;
    }
    try {
      compact();
      fetch(1, Math.min(lengthBytes, Math.max(bytes.length, BLOCK_BYTES)));
      return true;
    } catch (EOFException e) {
      return endsBy(e);
    }
  }

  @Override
  public void beginMessage() {
    readingAhead = rewindable && !framed;
    following = 0;
  }

  @Override
  public long sureBytes() {
    return rewindable ? (long) remaining() + availableAtOnce() : remaining();
  }

  private int availableAtOnce() {
    return ((ByteArrayInputStream) source).available();
  }

  @Override
  public void endMessage() throws IOException {
    following = 0;
    if (readingAhead) {
      readingAhead = false;
      if (remaining() > 0) {
        giveBack(remaining());
      }
    }
    if (bytes != own && position == limit && !lent) {
      giveBackArray();
      bytes = own;
      position = 0;
      limit = 0;
    }
  }

  @Override
  public boolean dropFailed() {
    if (framed || !lent) {
      return false;
    }
    position = limit;
    return true;
  }

  private void giveBackArray() {
    if (lends) {
      SpareArrays.give(bytes, Math.max(usedBytes, limit));
    }
    usedBytes = 0;
  }

  /** Gives bytes back to the source, by a reset to its mark and a skip. */
  private void giveBack(int unreadBytes) throws IOException {
    int leftBytes = source.available();
    source.reset();
    source.skip(source.available() - leftBytes - unreadBytes);
    limit = position;
    fetchedBytes -= unreadBytes;
  }

  /** Moves the unread bytes to the front, into a smaller array after one large message. */
  private void compact() {
    int unread = remaining();
    if (bytes.length > SpareArrays.LENGTH && unread < STEP_BYTES) {
      byte[] smaller = lends ? SpareArrays.take() : new byte[SpareArrays.LENGTH];
      System.arraycopy(bytes, position, smaller, 0, unread);
      bytes = smaller;
      usedBytes = 0;
    } else if (position > 0) {
      System.arraycopy(bytes, position, bytes, 0, unread);
    }
    position = 0;
    limit = unread;
  }

  @Override
  protected boolean mayOverwrite() {
    return !readingAhead;
  }

  /** Fetches {@code least} bytes, and up to {@code most} that the source has available. */
  private void fetch(int least, int most) throws IOException {
    makeRoom(most);
    int end = limit + least;
    int room = limit + most;
    int usedBefore = usedBytes;
    while (limit < end) {
      usedBytes = Math.max(usedBytes, room);
      lent = true;
      ended = false;
      int count = source.read(bytes, limit, room - limit);
      lent = false;
      if (lends) {
        usedBytes = Math.max(usedBefore, limit + Math.max(count, 0));
      }
      if (count < 0) {
        ended = true;
        throw new EOFException();
      }
      countFetched(bytes, limit, count);
      limit += count;
    }
  }

  private void countFetched(byte[] to, int offset, int count) {
    for (int i = 0; i < count && fetchedBytes + i < 4; i++) {
      firstInt = firstInt << 8 | to[offset + i] & 0xFF;
    }
    fetchedBytes += count;
    if (framed) {
      frameBytesLeft -= count;
    }
  }

  private void makeRoom(int wanted) throws IOException {
    if (bytes.length - limit >= wanted) {
      return;
    }
    if (wanted > MAXIMUM_BYTES - limit) {
      throw new StreamCorruptedException("a message of more than " + MAXIMUM_BYTES + " bytes");
    }
    if (bytes == own && limit + wanted <= OWN_BYTES) {
      own = Arrays.copyOf(own, OWN_BYTES);
      bytes = own;
    } else if (lends && limit + wanted <= SpareArrays.LENGTH) {
      byte[] larger = SpareArrays.take();
      System.arraycopy(bytes, 0, larger, 0, limit);
      bytes = larger;
      usedBytes = 0;
    } else {
      byte[] smaller = bytes;
      long doubled = Math.min(2L * smaller.length, MAXIMUM_BYTES);
      bytes = Arrays.copyOf(smaller, (int) Math.max(doubled, limit + wanted));
      if (lends && !lent && smaller != own) {
        SpareArrays.give(smaller, Math.max(usedBytes, limit));
      }
      usedBytes = 0;
    }
  }

  /** Begins a frame, unless bytes of one are left. */
  private void beginFrame() throws IOException {
    while (frameBytesLeft == 0) {
      takeLengthByte();
    }
  }

  /**
   * As {@link #beginFrame}, where the source may end.
   *
   * @return false if it has ended in front of a frame
   */
  private boolean comesFrame() throws IOException {
    try {
      beginFrame();
      return true;
    } catch (EOFException e) {
      if (lengthShift != 0 || seamSoFar != 0) {
        throw endsInside();
      }
      return endsBy(e);
    }
  }

  /** Reads the next byte of the length of a frame, the lowest seven bits first. */
  private void takeLengthByte() throws IOException {
    if (seamSoFar == REFUSED) {
      throw appended();
    }
    int next = nextByte();
    fetchedBytes++;
    if (seamSoFar != 0 || next == FrameOutput.NO_LENGTH && lengthShift == 0) {
      takeSeamByte(next);
      return;
    }
    lengthSoFar |= (next & 0x7F) << lengthShift;
    lengthShift += 7;
    if (next >= 0x80) {
      if (lengthShift == 35) {
        throw new StreamCorruptedException("invalid frame length: more than five bytes");
      }
      return;
    }
    int length = lengthSoFar;
    boolean tooLong = lengthShift == 35 && next > 0x07;
    lengthSoFar = 0;
    lengthShift = 0;
    if (length <= 0 || tooLong) {
      throw new StreamCorruptedException("invalid frame length: " + length);
    }
    frameBytesLeft = length;
  }

  /**
   * The next byte of the source. It is read into an array, as all others are: java.io takes nearly
   * all bytes of a source so, and there are sources whose {@link InputStream#read()} returns a byte
   * with its sign.
   */
  private int nextByte() throws IOException {
    int count = 0;
    ended = false;
    while (count == 0) {
      count = source.read(oneByte, 0, 1);
    }
    if (count < 0) {
      ended = true;
      throw new EOFException();
    }
    return oneByte[0] & 0xFF;
  }

  private void takeSeamByte(int next) throws StreamCorruptedException {
    seamSoFar = seamSoFar << Byte.SIZE | next;
    int bitsToCome = Integer.numberOfLeadingZeros(seamSoFar) / Byte.SIZE * Byte.SIZE;
    if (seamSoFar != WHOLE_SEAM >>> bitsToCome) {
      seamSoFar = REFUSED;
      throw appended();
    }
    if (bitsToCome == 0) {
      seamSoFar = 0;
    }
  }

  private static StreamCorruptedException appended() {
    return new StreamCorruptedException(
        "invalid type code: 55, which begins another stream; a program that appends objects to a"
            + " file overrides writeStreamHeader, and calls reset there");
  }
}

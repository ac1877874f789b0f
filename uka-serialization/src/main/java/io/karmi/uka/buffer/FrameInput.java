package io.karmi.uka.buffer;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StreamCorruptedException;
import java.util.Arrays;

/**
 * A buffer behind an {@link InputStream} that takes what {@link FrameOutput} has framed, and no
 * byte beyond.
 *
 * <p>A length is not believed: the array grows with the bytes that arrive. Without framing the
 * bytes that are asked for are fetched, with those that are sure to follow, and from an array
 * whatever it has, to be given back.
 */
public final class FrameInput extends InputBuffer {
  private static final int STEP_BYTES = 1 << 16;
  private static final int BYTES_TO_KEEP = 1 << 18;
  private static final int MAXIMUM_BYTES = Integer.MAX_VALUE - 8;

  /**
   * So few bytes are sure to follow even if the writer has failed in the middle of a value, because
   * the exception that it sends then is longer.
   */
  private static final int MAXIMUM_FOLLOWING = 256;

  private static final int MAXIMUM_AHEAD = 1 << 14;

  private final InputStream source;

  /** Whether the source can be stepped back in without anybody noticing. */
  private final boolean rewindable;

  private boolean readingAhead;
  private boolean framed;
  private int frameBytesLeft;
  private long fetchedBytes;
  private int firstInt;

  public FrameInput(InputStream source) {
    super(new byte[512], 0, 0);
    this.source = source;
    rewindable = source.getClass() == ByteArrayInputStream.class;
  }

  /** Whether lengths are expected from now on. */
  public void setFramed(boolean framed) {
    this.framed = framed;
  }

  /** How many bytes have been consumed, lengths of frames included. */
  public long consumedBytes() {
    return fetchedBytes - remaining();
  }

  /**
   * The first four bytes that have been fetched, the highest first; 0 as long as there are fewer.
   */
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
    if (lengthBytes < 0) {
      throw new StreamCorruptedException("negative length: " + lengthBytes);
    }
    compact();
    while (limit < lengthBytes) {
      int step = Math.max(STEP_BYTES, limit);
      if (framed) {
        if (frameBytesLeft == 0) {
          frameBytesLeft = readFrameLength();
        }
        int wanted = Math.min(frameBytesLeft, step);
        fetch(wanted, wanted);
      } else {
        int wanted = Math.min(lengthBytes - limit, step);
        fetch(wanted, wanted + bytesAhead(wanted));
      }
    }
  }

  /**
   * How many bytes beyond {@code wanted} may be fetched: such as will be asked for, or can be given
   * back.
   */
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
    try {
      if (framed) {
        require(1);
      } else {
        compact();
        fetch(1, Math.min(lengthBytes, bytes.length));
      }
      return true;
    } catch (EOFException e) {
      return false;
    }
  }

  @Override
  public void beginMessage() {
    readingAhead = rewindable && !framed;
    following = 0;
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
  }

  /**
   * Steps back in the source: from its mark, wherever that is, the same bytes can be skipped again.
   */
  private void giveBack(int unreadBytes) throws IOException {
    int leftBytes = source.available();
    source.reset();
    source.skip(source.available() - leftBytes - unreadBytes);
    limit = position;
    fetchedBytes -= unreadBytes;
  }

  /**
   * Moves the unread bytes to the front, and gives back an array that one big message has grown.
   */
  private void compact() {
    int unread = remaining();
    if (bytes.length > BYTES_TO_KEEP && unread < STEP_BYTES) {
      bytes = Arrays.copyOfRange(bytes, position, position + STEP_BYTES);
    } else if (position > 0) {
      System.arraycopy(bytes, position, bytes, 0, unread);
    }
    position = 0;
    limit = unread;
  }

  /** Fetches {@code least} bytes, and up to {@code most} if the source has them at hand. */
  private void fetch(int least, int most) throws IOException {
    makeRoom(most);
    int end = limit + least;
    int room = limit + most;
    while (limit < end) {
      int count = source.read(bytes, limit, room - limit);
      if (count < 0) {
        throw new EOFException();
      }
      for (int i = 0; i < count && fetchedBytes + i < 4; i++) {
        firstInt = firstInt << 8 | bytes[limit + i] & 0xFF;
      }
      limit += count;
      fetchedBytes += count;
      if (framed) {
        frameBytesLeft -= count;
      }
    }
  }

  private void makeRoom(int wanted) throws IOException {
    if (bytes.length - limit < wanted) {
      if (wanted > MAXIMUM_BYTES - limit) {
        throw new StreamCorruptedException("a message of more than " + MAXIMUM_BYTES + " bytes");
      }
      long doubled = Math.min(2L * bytes.length, MAXIMUM_BYTES);
      bytes = Arrays.copyOf(bytes, (int) Math.max(doubled, limit + wanted));
    }
  }

  private int readFrameLength() throws IOException {
    int length = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      int next = source.read();
      if (next < 0) {
        throw new EOFException();
      }
      fetchedBytes++;
      length |= (next & 0x7F) << shift;
      if (next < 0x80) {
        if (length <= 0 || (shift == 28 && next > 0x07)) {
          throw new StreamCorruptedException("invalid frame length: " + length);
        }
        return length;
      }
    }
    throw new StreamCorruptedException("invalid frame length: more than five bytes");
  }
}

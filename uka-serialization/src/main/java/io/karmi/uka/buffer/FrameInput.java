package io.karmi.uka.buffer;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StreamCorruptedException;
import java.util.Arrays;

/**
 * A buffer behind an {@link InputStream} that takes what {@link FrameOutput} has framed, and no byte beyond.
 *
 * <p>A length is not believed: the array grows with the bytes that arrive. Without framing exactly the bytes that are asked
 * for are fetched.
 */
public final class FrameInput extends InputBuffer {
  private static final int STEP_BYTES = 1 << 16;
  private static final int BYTES_TO_KEEP = 1 << 18;
  private static final int MAXIMUM_BYTES = Integer.MAX_VALUE - 8;

  private final InputStream source;
  private boolean framed;
  private int frameBytesLeft;
  private long fetchedBytes;

  public FrameInput(InputStream source) {
    super(new byte[512], 0, 0);
    this.source = source;
  }

  /** Whether lengths are expected from now on. */
  public void setFramed(boolean framed) {
    this.framed = framed;
  }

  /** How many bytes have been consumed, lengths of frames included. */
  public long consumedBytes() {
    return fetchedBytes - remaining();
  }

  /** Whether a byte can be had without waiting for the source. */
  public boolean isByteAvailable() throws IOException {
    return remaining() > 0 || source.available() > 0;
  }

  @Override
  protected void fill(int lengthBytes) throws IOException {
    if (lengthBytes < 0) {
      throw new StreamCorruptedException("negative length: " + lengthBytes);
    }
    compact();
    while (limit < lengthBytes) {
      int wanted = Math.min(lengthBytes - limit, Math.max(STEP_BYTES, limit));
      if (framed) {
        if (frameBytesLeft == 0) {
          frameBytesLeft = readFrameLength();
        }
        wanted = Math.min(frameBytesLeft, Math.max(STEP_BYTES, limit));
      }
      fetch(wanted);
    }
  }

  /** Moves the unread bytes to the front, and gives back an array that one big message has grown. */
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

  private void fetch(int wanted) throws IOException {
    if (bytes.length - limit < wanted) {
      if (wanted > MAXIMUM_BYTES - limit) {
        throw new StreamCorruptedException("a message of more than " + MAXIMUM_BYTES + " bytes");
      }
      long doubled = Math.min(2L * bytes.length, MAXIMUM_BYTES);
      bytes = Arrays.copyOf(bytes, (int) Math.max(doubled, limit + wanted));
    }
    int end = limit + wanted;
    while (limit < end) {
      int count = source.read(bytes, limit, end - limit);
      if (count < 0) {
        throw new EOFException();
      }
      limit += count;
      fetchedBytes += count;
      if (framed) {
        frameBytesLeft -= count;
      }
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

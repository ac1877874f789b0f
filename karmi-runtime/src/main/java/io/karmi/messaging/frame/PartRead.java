package io.karmi.messaging.frame;

import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A part of a large message that the reading thread reads straight to the parts before it, so that
 * it is copied once less. With it comes the beginning of what is behind it.
 *
 * <p>Belongs to the thread that reads.
 */
public final class PartRead {
  /**
   * Bytes behind the part that are read with it: a short last part and the next header mostly lie
   * there.
   */
  public static final int BEHIND_BYTES = 512;

  /** Those before it; null while none is read. */
  private @Nullable MessageParts parts;

  private int body;

  /** Bytes of the frame's body that have come, of its padding, and of what is behind it. */
  private int come;

  /**
   * Begins a part.
   *
   * @param before those before it, which belong to this thread until {@link #finish}
   * @throws IOException if there is no room for it
   */
  public void begin(MessageParts before, int bodyBytes) throws IOException {
    parts = before;
    body = bodyBytes;
    come = 0;
    before.begin(bodyBytes, paddedBytes() - bodyBytes + BEHIND_BYTES);
  }

  private MessageParts parts() {
    return Objects.requireNonNull(parts);
  }

  /** Where bytes are to be read to. */
  public byte[] bytes() {
    return parts().bytes();
  }

  /** Index at which the next byte is to be stored. */
  public int end() {
    return parts().length() + come;
  }

  /** How many bytes are to be read at most. */
  public int room() {
    return paddedBytes() + BEHIND_BYTES - come;
  }

  /** Adds bytes of the body that were read elsewhere. */
  public void put(byte[] from, int offset, int count) {
    System.arraycopy(from, offset, bytes(), end(), count);
    come += count;
  }

  /** Bytes were read; true if the part is complete. */
  public boolean come(int count) {
    come += count;
    return behind() >= 0;
  }

  /** Bytes that have come behind the part; negative while that is not complete. */
  public int behind() {
    return come - paddedBytes();
  }

  private int paddedBytes() {
    return frameBytes() - MessageFrame.HEADER_BYTES;
  }

  /** Length of the frame, padding included. */
  public int frameBytes() {
    return MessageFrame.lengthOf(body);
  }

  /** The part belongs to the message now. */
  public void finish() {
    parts().end(body);
    parts = null;
  }
}

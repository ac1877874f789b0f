package io.karmi.exchange.record;

import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Buffer for the body of a group: small ones stay in its array, larger ones leave to a sink piece
 * by piece. Belongs to one thread.
 */
public final class GroupOutput extends OutputBuffer {
  /** Bytes up to which a body stays in memory. */
  public static final int SMALL_BYTES = 64 << 10;

  private static final int FIRST_BYTES = 512;
  private static final int PIECE_BYTES = 256 << 10;

  /** Takes pieces of a body. */
  @FunctionalInterface
  public interface Sink {
    /** Takes all of these bytes. */
    void write(ByteBuffer bytes) throws IOException;
  }

  private final Sink sink;
  private final CRC32C crc = new CRC32C();
  private long drainedBytes;

  public GroupOutput(Sink sink) {
    super(FIRST_BYTES);
    this.sink = sink;
  }

  @Override
  protected void makeRoom(int lengthBytes) throws IOException {
    if (position >= SMALL_BYTES) {
      drain();
    }
    if (bytes.length - position < lengthBytes) {
      super.makeRoom(lengthBytes);
    }
  }

  /** Gives what has been written to the sink. */
  public void drain() throws IOException {
    crc.update(bytes, 0, position);
    sink.write(ByteBuffer.wrap(bytes, 0, position));
    drainedBytes += position;
    position = 0;
    if (bytes.length > 2 * PIECE_BYTES || bytes.length < PIECE_BYTES) {
      bytes = new byte[PIECE_BYTES];
    }
  }

  /** Whether all of the body is in the array. */
  public boolean isSmall() {
    return drainedBytes == 0 && position <= SMALL_BYTES;
  }

  /** Bytes of the body so far. */
  public long lengthBytes() {
    return drainedBytes + position;
  }

  /** The check sum of the body, which is complete. */
  public CRC32C crc() {
    crc.update(bytes, 0, position);
    return crc;
  }
}

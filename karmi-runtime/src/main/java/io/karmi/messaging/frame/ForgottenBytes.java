package io.karmi.messaging.frame;

import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;

/**
 * Buffer that counts bytes and keeps none, for the length of a message that is not sent. Belongs to
 * one thread at a time.
 */
public final class ForgottenBytes extends OutputBuffer {
  private static final int SLICE_BYTES = 8 * 1024;

  private long before;

  public ForgottenBytes() {
    super(0);
  }

  /** All bytes that were written. */
  public long count() {
    return before + position;
  }

  @Override
  protected void makeRoom(int lengthBytes) throws IOException {
    before += position;
    position = 0;
    if (lengthBytes > bytes.length) {
      super.makeRoom(lengthBytes);
    }
  }

  @Override
  protected void makeRoomForArray(long lengthBytes) throws IOException {
    makeRoom((int) Math.min(lengthBytes, SLICE_BYTES));
  }
}

package io.karmi.messaging.frame;

import io.karmi.guard.MessageMemory;
import io.karmi.guard.PeerBuffer;
import java.io.IOException;

/**
 * Bytes of one message at a time, whose memory is counted while it is read if it has begun in a
 * {@link MessageMemory}.
 *
 * <p>Not thread-safe.
 */
public final class CountedBuffer extends PeerBuffer {
  private static final byte[] NONE = {};

  private final MessageMemory memory;
  private final Object host;

  /** An empty buffer for messages of this host. */
  public CountedBuffer(MessageMemory memory, Object host) {
    super(NONE, 0, 0);
    this.memory = memory;
    this.host = host;
  }

  @Override
  public void grow(long nextBytes) throws IOException {
    if (memory.isBegun()) {
      memory.grow(limit, nextBytes);
    }
  }

  @Override
  protected Object host() {
    return host;
  }

  /** Shows the bytes of a message, {@code message[start .. end)}. */
  public void show(byte[] message, int start, int end) {
    bytes = message;
    position = start;
    limit = end;
  }

  /** Lets go of the message. */
  public void forget() {
    show(NONE, 0, 0);
    dropCopy();
  }
}

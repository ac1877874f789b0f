package io.karmi.messaging.frame;

import io.karmi.guard.Ledgers;
import io.karmi.guard.MessageMemory;
import io.karmi.guard.RememberedObjects;
import io.karmi.uka.buffer.InputBuffer;
import java.io.IOException;
import java.io.InvalidObjectException;

/**
 * Bytes of one message at a time, whose memory is counted while it is read if it has begun in a
 * {@link MessageMemory}, and whose steps to hash and compare count for the sender's host.
 *
 * <p>Not thread-safe.
 */
public final class CountedBuffer extends InputBuffer {
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
  public void work(long steps) throws InvalidObjectException {
    Ledgers.work(host, steps);
  }

  @Override
  public boolean boundsWork() {
    return true;
  }

  @Override
  public void remember(Object object) throws InvalidObjectException {
    RememberedObjects.check(object);
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

package io.karmi.messaging;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that a link has received at a time, with the frames that lie in them.
 *
 * <p>The reading thread and each frame that is still to be handled hold it; the last one to let go
 * gives it back to the pool of its link.
 */
final class Chunk {
  /** A frame fits, behind the beginning of another one. */
  static final int BYTES = 2 * (MessageFrame.HEADER_BYTES + MessageFrame.PART_BYTES);

  final byte[] bytes;
  private final @Nullable ChunkPool pool;
  private final AtomicInteger holders = new AtomicInteger(1);

  Chunk(ChunkPool pool) {
    this.pool = pool;
    bytes = new byte[BYTES];
  }

  /** A frame by itself, which is all that its holder keeps. */
  Chunk(byte[] from, int offset, int length) {
    pool = null;
    bytes = Arrays.copyOfRange(from, offset, offset + length);
  }

  void hold() {
    holders.incrementAndGet();
  }

  void release() {
    if (holders.decrementAndGet() == 0 && pool != null) {
      holders.set(1);
      pool.giveBack(this);
    }
  }

  /** True if no frame holds it any more, only the reading thread, which asks. */
  boolean isFree() {
    return holders.get() == 1;
  }
}

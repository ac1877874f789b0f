package io.karmi.messaging.frame;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that a link has received at a time, with the frames that lie in them.
 *
 * <p>The reading thread and each frame that is still to be handled hold it; the last one to let go
 * gives it back to the pool of its link.
 */
public final class Chunk {
  /** Size of a large chunk, in bytes; a frame that began in the previous chunk fits. */
  public static final int LARGE_BYTES = 128 * 1024;

  /** Size of the chunk of a link with small reads, in bytes. */
  public static final int SMALL_BYTES = 8 * 1024;

  public final byte[] bytes;
  private final @Nullable ChunkPool pool;
  private final AtomicInteger holders = new AtomicInteger(1);

  public Chunk(ChunkPool pool, byte[] bytes) {
    this.pool = pool;
    this.bytes = bytes;
  }

  /** A frame by itself, which is all that its holder keeps. */
  public Chunk(byte[] from, int offset, int length) {
    pool = null;
    bytes = Arrays.copyOfRange(from, offset, offset + length);
  }

  public boolean isLarge() {
    return bytes.length > SMALL_BYTES;
  }

  public void hold() {
    holders.incrementAndGet();
  }

  public void release() {
    if (holders.decrementAndGet() == 0 && pool != null) {
      pool.giveBack(this);
    }
  }

  /** True if no frame holds it any more, only the reading thread, which asks. */
  public boolean isFree() {
    return holders.get() == 1;
  }
}

package io.karmi.messaging.frame;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Source of a link's chunks: counts those in use. Their bytes are the node's.
 *
 * <p>A frame that waits for long in its lane keeps all of its chunk. Where many do, chunks are
 * {@linkplain #isScarce scarce}, and frames are to be copied out of them.
 *
 * <p>Thread-safe.
 */
public final class ChunkPool {
  private static final int MINIMUM = 4;

  private final ArrayPool arrays;
  private final int plenty;
  private final AtomicInteger used = new AtomicInteger();

  /**
   * Without chunks.
   *
   * @param window bytes that may wait to be processed
   * @param arrays where large ones come from
   */
  public ChunkPool(long window, ArrayPool arrays) {
    this.arrays = arrays;
    plenty = (int) (MINIMUM + 2 * window / Chunk.LARGE_BYTES);
  }

  public Chunk take(boolean large) {
    used.incrementAndGet();
    return new Chunk(this, large ? arrays.take(Chunk.LARGE_BYTES) : new byte[Chunk.SMALL_BYTES]);
  }

  public void giveBack(Chunk chunk) {
    used.decrementAndGet();
    arrays.giveBack(chunk.bytes);
  }

  /** The number of chunks in use. */
  public int used() {
    return used.get();
  }

  /** Whether more are in use than a window of bytes takes, each of them half empty. */
  public boolean isScarce() {
    return used.get() > plenty;
  }
}

package io.karmi.messaging;

import java.util.ArrayDeque;

/**
 * The chunks of a link: those that are not used at the moment, and the count of those that are.
 *
 * <p>A frame that waits for long in its lane keeps all of its chunk. Where many do, chunks are
 * {@linkplain #isScarce scarce}, and frames are to be copied out of them.
 *
 * <p>Thread-safe.
 */
final class ChunkPool {
  /** Chunks that are kept; a window of bytes lies in four. */
  private static final int MOST_FREE = 4;

  private final ArrayDeque<Chunk> free = new ArrayDeque<>(MOST_FREE);
  private final int plenty;
  private volatile int used;

  /**
   * Without chunks.
   *
   * @param window bytes that may wait to be processed
   */
  ChunkPool(long window) {
    plenty = (int) (MOST_FREE + 2 * window / Chunk.BYTES);
  }

  synchronized Chunk take() {
    used++;
    Chunk chunk = free.pollFirst();
    return chunk != null ? chunk : new Chunk(this);
  }

  synchronized void giveBack(Chunk chunk) {
    used--;
    if (free.size() < MOST_FREE) {
      free.addFirst(chunk);
    }
  }

  /** How many chunks are in use. */
  int used() {
    return used;
  }

  /** Whether more are in use than a window of bytes takes, each of them half empty. */
  boolean isScarce() {
    return used > plenty;
  }
}

package io.karmi.messaging;

import java.util.ArrayDeque;

/** The chunks of a link that are not used at the moment. Thread-safe. */
final class ChunkPool {
  /** Chunks that are kept; a window of bytes lies in four. */
  private static final int MOST = 4;

  private final ArrayDeque<Chunk> free = new ArrayDeque<>(MOST);

  synchronized Chunk take() {
    Chunk chunk = free.pollFirst();
    return chunk != null ? chunk : new Chunk(this);
  }

  synchronized void giveBack(Chunk chunk) {
    if (free.size() < MOST) {
      free.addFirst(chunk);
    }
  }
}

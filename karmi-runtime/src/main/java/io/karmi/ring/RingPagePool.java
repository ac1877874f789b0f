package io.karmi.ring;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Pool of pages that no ring uses at the moment.
 *
 * <p>Thread-safe, without locks.
 */
public final class RingPagePool {
  /** The size of pages; a ring that is too small for these has smaller ones, which are not kept. */
  static final int PAGE_BYTES = 64 * 1024;

  /** Pages that are kept at most: 96 KiB each, with their notes. */
  private static final int MAXIMUM = 64;

  private final AtomicReferenceArray<@Nullable RingPage> free = new AtomicReferenceArray<>(MAXIMUM);

  /** Whether a page was taken since it was last asked. */
  private volatile boolean used;

  /** A page without notes. */
  RingPage take(int size) {
    if (size == PAGE_BYTES) {
      used = true;
      for (int i = 0; i < MAXIMUM; i++) {
        RingPage page = free.get(i) == null ? null : free.getAndSet(i, null);
        if (page != null) {
          page.clear();
          return page;
        }
      }
    }
    return new RingPage(size);
  }

  void giveBack(RingPage page) {
    if (page.bytes.length == PAGE_BYTES) {
      for (int i = 0; i < MAXIMUM; i++) {
        if (free.get(i) == null && free.compareAndSet(i, null, page)) {
          return;
        }
      }
    }
  }

  /** Lets go of the memory if none was taken since this was last called. */
  public void trim() {
    if (used) {
      used = false;
      return;
    }
    for (int i = 0; i < MAXIMUM; i++) {
      free.set(i, null);
    }
  }
}

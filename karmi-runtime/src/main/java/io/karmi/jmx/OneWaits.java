package io.karmi.jmx;

import org.jspecify.annotations.Nullable;

/**
 * Place where one thread may wait: a second one ends the wait of the first. A client waits for
 * notifications in one call at a time, so more than one hold threads for nothing. Thread-safe.
 */
final class OneWaits {
  private @Nullable Thread waiting;

  /** Before the wait; {@link #end} must follow. */
  synchronized void begin() {
    if (waiting != null) {
      waiting.interrupt();
    }
    waiting = Thread.currentThread();
  }

  /** After the wait. */
  synchronized void end() {
    if (waiting == Thread.currentThread()) {
      waiting = null;
    } else {
      Thread.interrupted(); // by the thread that has taken the place
    }
  }
}

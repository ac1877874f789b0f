package io.karmi.messaging;

import org.jspecify.annotations.Nullable;

/** A message that was taken out of its lane; filled anew for each one. */
final class Incoming {
  int kind;
  long correlation;
  @Nullable Object object;

  /** Why there is no object, or null. */
  @Nullable Throwable problem;

  /** Bytes of its last frame, which count as processed when the message has been handled. */
  int frameBytes;

  /** Whether references came in it: then the sender waits for them to be registered. */
  boolean bringsReferences;

  void clear() {
    object = null;
    problem = null;
  }
}

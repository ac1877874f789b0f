package io.karmi.messaging;

import java.rmi.AccessException;
import org.jspecify.annotations.Nullable;

/** A message that was taken out of its lane; filled anew for each one. */
final class Incoming {
  int kind;
  long correlation;
  @Nullable Object object;

  /** Why there is no object, or null; an {@link AccessException} if it may not be read. */
  @Nullable Throwable problem;

  /** Bytes of its last frame, which count as processed when the message has been handled. */
  int frameBytes;

  /** Whether references came in it: then the sender waits for them to be registered. */
  boolean bringsReferences;

  /** Whether an authorizer has refused it, which {@link #problem} says. */
  boolean refused;

  void clear() {
    object = null;
    refused = false;
    problem = null;
  }
}

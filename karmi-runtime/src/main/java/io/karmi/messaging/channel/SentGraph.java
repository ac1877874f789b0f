package io.karmi.messaging.channel;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** A graph that was sent: {@code io.karmi.messaging.SendHandle} says what its methods promise. */
public interface SentGraph {
  /** Whether the other end has it whole. */
  boolean isDone() throws IOException;

  /** Waits until the other end has it whole. */
  void await() throws IOException;

  /** Waits for some time at most; returns false if that has passed. */
  boolean await(long time, TimeUnit unit) throws IOException;
}

package io.karmi.messaging;

/** One receiver, answerer or listener that was registered. */
public interface Registration extends AutoCloseable {
  /** Ends the registration; what it is doing now goes on. Without effect the second time. */
  @Override
  void close();
}

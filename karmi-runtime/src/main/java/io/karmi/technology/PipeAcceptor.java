package io.karmi.technology;

/** Acceptor of pipes that other nodes open: the layer of messages. Thread-safe. */
public interface PipeAcceptor {
  /**
   * Takes a pipe that another node has opened, and keeps it until either end closes it. Returns at
   * once.
   */
  void accept(Pipe pipe);

  /**
   * Begins to end messages, as the node ends: what was begun over pipes is completed, and then they
   * are closed. Returns at once.
   */
  default void drain() {}

  /** Whether {@link #drain} has completed. */
  default boolean isDrained() {
    return true;
  }

  /** Closes all pipes, and gives up what is under way. */
  default void close() {}
}

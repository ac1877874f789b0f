package io.karmi.technology;

/** The layer above technologies that takes messages. Thread-safe. */
public interface PipeAcceptor {
  /**
   * Takes a pipe that another node has opened, and keeps it until either end closes it. Returns at
   * once.
   */
  void accept(Pipe pipe);

  /**
   * The node ends: what was begun over pipes is brought to its end, and then they are closed.
   * Returns at once.
   */
  default void drain() {}

  /** Whether that has been done, and nothing is left to do. */
  default boolean isDrained() {
    return true;
  }

  /** Closes all pipes, and gives up what is under way. */
  default void close() {}
}

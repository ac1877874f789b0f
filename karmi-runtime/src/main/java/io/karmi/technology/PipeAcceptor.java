package io.karmi.technology;

/** The layer above technologies that takes messages. Thread-safe. */
public interface PipeAcceptor {
  /**
   * Takes a pipe that another node has opened, and keeps it until either end closes it. Returns at
   * once.
   */
  void accept(Pipe pipe);
}

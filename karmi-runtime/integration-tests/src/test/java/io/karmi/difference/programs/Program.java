package io.karmi.difference.programs;

import java.util.function.Consumer;

/** A program with two ends, each of which runs in a JVM of its own. */
public interface Program {
  /**
   * The server: creates a registry and exports objects.
   *
   * @param port a free port for the registry
   * @param observed takes what is to be compared, a line at a time
   */
  void serve(int port, Consumer<String> observed) throws Exception;

  /** The client; the program ends when it returns. */
  void call(int port, Consumer<String> observed) throws Exception;
}

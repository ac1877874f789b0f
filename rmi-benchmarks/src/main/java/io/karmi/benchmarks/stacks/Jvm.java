package io.karmi.benchmarks.stacks;

import io.karmi.benchmarks.measure.Child;
import io.karmi.benchmarks.results.RunFailedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeoutException;

/** One JVM of a stack: told tasks by lines, and read by lines, which its log has in the end. */
final class Jvm {
  private static final long END_SECONDS = 60;
  private static final int LINES_SHOWN = 12;

  private final String name;
  private final Child child;
  private final Path log;

  Jvm(String name, List<String> command, Path logs) throws IOException {
    this.name = name;
    Files.createDirectories(logs);
    log = logs.resolve(name + ".log");
    child = Child.start(new ProcessBuilder(command).redirectErrorStream(true));
  }

  void tell(String line) {
    try {
      child.tell(line);
    } catch (IOException e) {
      /* It has ended, which is told where its answer is awaited. */
    }
  }

  void tellNoMore() {
    child.endInput();
  }

  /** Waits for a line that begins with {@code start}. */
  String await(String start, long seconds) throws IOException, InterruptedException {
    try {
      String line = child.await(each -> each.startsWith(start), seconds);
      if (line != null) {
        return line;
      }
    } catch (TimeoutException e) {
      throw failure("did not answer in " + seconds + " s");
    }
    OptionalInt status = child.exitStatus(END_SECONDS);
    throw failure("ended" + (status.isPresent() ? " with " + status.getAsInt() : ""));
  }

  /**
   * Waits for its end. It has measured all by now: if it does not end, that is told, and it is
   * killed.
   *
   * @throws IOException if it has ended as programs do that have failed
   */
  void awaitEnd() throws IOException, InterruptedException {
    try {
      child.await(line -> false, END_SECONDS);
    } catch (TimeoutException e) {
      System.err.println(
          "karmi-bench rmi: %s has measured all and did not end in %d s; what it printed is in %s"
              .formatted(name, END_SECONDS, log));
      return;
    }
    OptionalInt status = child.exitStatus(END_SECONDS);
    if (status.orElse(0) != 0) {
      throw failure("ended with " + status.getAsInt());
    }
  }

  /** Has it printed this, as far as it was read? */
  boolean hasPrinted(String text) {
    return child.lines().stream().anyMatch(line -> line.contains(text));
  }

  /** Ends it, and leaves what it printed in its log. */
  void destroy() {
    child.close();
    try {
      Files.write(log, child.lines());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private RunFailedException failure(String what) {
    List<String> lines = child.lines();
    int from = Math.max(0, lines.size() - LINES_SHOWN);
    String last = String.join("\n  ", lines.subList(from, lines.size()));
    return new RunFailedException(
        name + " " + what + "; it printed last (all of it is in " + log + "):\n  " + last);
  }
}

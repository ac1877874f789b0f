package io.karmi.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.rules.TemporaryFolder;

/** A process whose output and errors go to one file: nothing a JVM says is missed. */
final class Run {
  private static final long PATIENCE_SECONDS = 300;

  private final Path log;
  private final Process process;

  /**
   * Starts a command with the JDK of the tests; one of {@code java} has the option of the JVMs that
   * tests start.
   *
   * @param folder for its output, and the cache of karmi-java
   */
  Run(TemporaryFolder folder, List<String> command) throws IOException {
    log = folder.newFile().toPath();
    List<String> words = new ArrayList<>(command);
    String option = System.getProperty("karmi.test.option");
    if (option != null && words.get(0).endsWith(File.separator + "java")) {
      words.add(1, option);
    }
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("KARMI_CACHE", folder.getRoot().toPath().resolve("cache").toString());
    process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    process.getOutputStream().close();
  }

  String awaitLine(String start) throws Exception {
    Predicate<String> isIt = line -> line.startsWith(start);
    return awaitOutput(output -> output.lines().anyMatch(isIt))
        .lines()
        .filter(isIt)
        .findFirst()
        .orElseThrow();
  }

  /** Its output as soon as that is as wanted; fails with the output if it never is. */
  String awaitOutput(Predicate<String> wanted) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (System.nanoTime() < deadline) {
      boolean ended = process.waitFor(20, TimeUnit.MILLISECONDS);
      String output = output();
      if (wanted.test(output)) {
        return output;
      }
      assertThat(ended).as("ended early: %s", output).isFalse();
    }
    throw new AssertionError("never printed what was awaited: " + output());
  }

  int awaitEnd() throws Exception {
    assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
        .as("hangs: %s", output())
        .isTrue();
    return process.exitValue();
  }

  String output() throws IOException {
    return Files.readString(log);
  }

  /** The processes that it has started, and those that these have. */
  List<ProcessHandle> descendants() {
    return process.descendants().toList();
  }

  /** Asks it to end, as Ctrl-C or an operator's kill does. */
  void terminate() {
    process.destroy();
  }

  void kill() {
    process.destroyForcibly();
  }

  /** Whether a program is on the path. */
  static boolean isThere(String program) {
    for (String each : System.getenv("PATH").split(File.pathSeparator)) {
      if (Files.isExecutable(Path.of(each, program))) {
        return true;
      }
    }
    return false;
  }
}

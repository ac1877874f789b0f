package io.karmi.operations;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM that prints lines, and is killed when the test is over. */
final class Jvm implements AutoCloseable {
  private static final long DEADLINE_SECONDS = 60;

  private final Process process;
  private final BufferedReader output;
  private final List<String> lines = new ArrayList<>();

  private Jvm(List<String> command) throws IOException {
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** Starts a JVM; options first, then the main class and its arguments. */
  static Jvm start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add("-Dstdout.encoding=UTF-8");
    command.add("-Djava.rmi.server.hostname=127.0.0.1");
    command.addAll(Arrays.asList(arguments));
    Jvm jvm = new Jvm(command);
    Thread killer = new Thread(jvm::killWhenLate, "deadline of " + command);
    killer.setDaemon(true);
    killer.start();
    return jvm;
  }

  private void killWhenLate() {
    try {
      if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
    }
  }

  /** The rest of the first line that begins so. */
  String awaitLine(String beginning) throws IOException {
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      lines.add(line);
      if (line.startsWith(beginning)) {
        return line.substring(beginning.length());
      }
    }
    throw new AssertionError("no line " + beginning + "…, but " + lines);
  }

  /** All that it prints until it ends. */
  List<String> everything() throws IOException, InterruptedException {
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      lines.add(line);
    }
    process.waitFor();
    return lines;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}

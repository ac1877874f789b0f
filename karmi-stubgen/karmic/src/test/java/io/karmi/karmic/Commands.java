package io.karmi.karmic;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** JVMs that a test starts: the command, programs that end, and servers that do not. */
final class Commands {
  private static final long PATIENCE_SECONDS = 120;
  private static final List<Process> SERVERS = new ArrayList<>();

  private Commands() {}

  /** How a JVM ended. */
  record Result(int exit, String out, String err) {}

  /** Runs karmic in a JVM of its own. */
  static Result karmic(Object... arguments) throws Exception {
    String[] words = Arrays.stream(arguments).map(Object::toString).toArray(String[]::new);
    return java(
        List.of("-cp", System.getProperty("java.class.path")),
        "io.karmi.stubgen.cli.Karmic",
        words);
  }

  /** Runs a program to its end. */
  static Result java(List<String> options, String main, String... arguments) throws Exception {
    File out = File.createTempFile("java", ".out");
    File err = File.createTempFile("java", ".err");
    try {
      Process process =
          builder(options, main, arguments).redirectOutput(out).redirectError(err).start();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("still running: " + main + "\n" + text(out) + text(err));
      }
      return new Result(process.exitValue(), text(out), text(err));
    } finally {
      Files.delete(out.toPath());
      Files.delete(err.toPath());
    }
  }

  /** Starts a program that prints {@code port N}, and goes on; its errors are the test's. */
  static int server(List<String> options, String main) throws Exception {
    File out = File.createTempFile("server", ".out");
    out.deleteOnExit();
    Process process = builder(options, main).redirectErrorStream(true).redirectOutput(out).start();
    SERVERS.add(process);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (System.nanoTime() < deadline && !process.waitFor(20, TimeUnit.MILLISECONDS)) {
      String text = text(out);
      if (text.contains("port ") && text.endsWith("\n")) {
        return Integer.parseInt(text.replaceAll("(?s).*port (\\d+).*", "$1"));
      }
    }
    throw new AssertionError("no port: " + text(out));
  }

  static void endServers() {
    for (Process each : SERVERS) {
      each.destroyForcibly();
      assertThat(each.toHandle().onExit()).succeedsWithin(30, TimeUnit.SECONDS);
    }
    SERVERS.clear();
  }

  private static ProcessBuilder builder(List<String> options, String main, String... arguments) {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(options);
    line.add(main);
    line.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.environment().keySet().removeIf(name -> name.endsWith("JAVA_OPTIONS"));
    builder.environment().remove("CLASSPATH");
    return builder;
  }

  private static String text(File file) throws IOException {
    return Files.readString(file.toPath(), StandardCharsets.UTF_8);
  }
}

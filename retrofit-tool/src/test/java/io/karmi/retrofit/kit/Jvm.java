package io.karmi.retrofit.kit;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A second JVM, run to its end. */
public final class Jvm {
  private static final long DEADLINE_SECONDS = 300;

  private Jvm() {}

  /**
   * What a JVM left behind.
   *
   * @param exit its exit code
   * @param out all of its standard output
   * @param err all of its standard error
   */
  public record Result(int exit, String out, String err) {}

  /** Runs this JVM's {@code java} with these arguments. */
  public static Result java(Object... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    Arrays.stream(arguments).map(Object::toString).forEach(command::add);
    File out = File.createTempFile("jvm", ".out");
    File err = File.createTempFile("jvm", ".err");
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(out).redirectError(err);
      builder.environment().keySet().removeIf(name -> name.endsWith("JAVA_OPTIONS"));
      Process process = builder.start();
      if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("still running: " + command + "\n" + text(out) + text(err));
      }
      return new Result(process.exitValue(), text(out), text(err));
    } finally {
      Files.delete(out.toPath());
      Files.delete(err.toPath());
    }
  }

  private static String text(File file) throws IOException {
    return Files.readString(file.toPath(), StandardCharsets.UTF_8);
  }
}

package io.karmi.benchmarks.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A JVM that a command starts, tells lines and reads lines of. It has this JVM's JDK, and none of
 * the options that environment variables give. Not thread-safe.
 */
public final class Child implements AutoCloseable {
  private final Process process;
  private final BufferedReader printed;
  private final StringBuilder text = new StringBuilder();

  private Child(ProcessBuilder.Redirect errors, List<String> prefix, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectErrorStream(errors == ProcessBuilder.Redirect.PIPE).redirectError(errors);
    builder.environment().keySet().removeAll(Set.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS"));
    process = builder.start();
    printed =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * A JVM that is told lines; what it prints as errors this JVM does.
   *
   * @param arguments of {@code java}
   */
  public static Child start(List<String> arguments) throws IOException {
    return startBy(List.of(), arguments);
  }

  /** The same, started by a command that executes the one behind it. */
  static Child startBy(List<String> prefix, List<String> arguments) throws IOException {
    return new Child(ProcessBuilder.Redirect.INHERIT, prefix, arguments);
  }

  /** A JVM without input, whose errors are among its lines. */
  public static Child withoutInput(List<String> arguments) throws IOException {
    Child child = new Child(ProcessBuilder.Redirect.PIPE, List.of(), arguments);
    child.process.getOutputStream().close();
    return child;
  }

  /** The jar of the product, of the distribution whose command this JVM runs. */
  public static Path karmiJar() throws IOException {
    return karmiHome().resolve("lib").resolve("karmi.jar");
  }

  /** The folder of the distribution whose command this JVM runs. */
  public static Path karmiHome() throws IOException {
    String home = System.getProperty("karmi.home");
    if (home == null) {
      throw new IOException("start it with the command karmi-bench: karmi.home is not set");
    }
    return Path.of(home).toAbsolutePath();
  }

  /** Of its process. */
  CpuTime cpuTime() {
    return new CpuTime(process.toHandle());
  }

  /** Tells it a line. */
  public void tell(String line) throws IOException {
    process.getOutputStream().write((line + '\n').getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  /** Its next line; null at its end. */
  public @Nullable String line() throws IOException {
    String line = printed.readLine();
    if (line != null) {
      text.append(line).append('\n');
    }
    return line;
  }

  /**
   * Closes its input, and waits for its end.
   *
   * @param name of the JVM, for messages
   * @return all its lines
   * @throws IOException if it fails, or has not ended {@code seconds} after its last line
   */
  public String end(String name, long seconds) throws IOException, InterruptedException {
    process.getOutputStream().close();
    while (line() != null) {
      /* Its text has it. */
    }
    boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
    if (!ended || process.exitValue() != 0) {
      throw new IOException(
          name + (ended ? " failed: " : " did not end: ") + text.toString().strip());
    }
    return text.toString();
  }

  /** Kills it, and waits for its end. */
  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}

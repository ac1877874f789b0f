package io.karmi.benchmarks.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A JVM that a command starts, tells lines and reads lines of. It has none of the options that
 * environment variables give. Not thread-safe.
 */
public final class Child implements AutoCloseable {
  /** Longest time that is waited for the end of a process that was killed. */
  private static final int KILLED_SECONDS = 60;

  /** System property of tests, which look at no times: an option of each JVM that is started. */
  private static final String TEST_OPTION = "karmi.test.option";

  private final Process process;
  private final BufferedReader printed;
  private final List<String> lines = new ArrayList<>();

  private Child(ProcessBuilder builder) throws IOException {
    builder.environment().keySet().removeAll(Set.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS"));
    process = builder.start();
    printed =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** A command that becomes a JVM; its errors go where the builder says. */
  public static Child start(ProcessBuilder builder) throws IOException {
    return new Child(builder);
  }

  /**
   * A JVM that is told lines; what it prints as errors this JVM does.
   *
   * @param prefix a command that executes the one behind it; empty for none
   * @param arguments of {@code java}
   */
  static Child startBy(List<String> prefix, List<String> arguments) throws IOException {
    ProcessBuilder builder = java(arguments);
    builder.command().addAll(0, prefix);
    return start(builder.redirectError(ProcessBuilder.Redirect.INHERIT));
  }

  /** A JVM without input, whose errors are among its lines. */
  public static Child withoutInput(List<String> arguments) throws IOException {
    Child child = start(java(arguments).redirectErrorStream(true));
    child.endInput();
    return child;
  }

  /** The command of this JVM's JDK. */
  public static ProcessBuilder java(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    Optional.ofNullable(System.getProperty(TEST_OPTION)).ifPresent(command::add);
    command.addAll(arguments);
    return new ProcessBuilder(command);
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

  /** Has it not ended yet? */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** Tells it a line. */
  public void tell(String line) throws IOException {
    process.getOutputStream().write((line + '\n').getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  /** Tells it no more lines, at which most end. */
  public void endInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      /* It has closed its end. */
    }
  }

  /** Its next line; null at its end. */
  public @Nullable String line() throws IOException {
    String line = printed.readLine();
    if (line != null) {
      lines.add(line);
    }
    return line;
  }

  /**
   * Its next line that is wanted; null at its end.
   *
   * @throws TimeoutException if neither comes in time; it is killed then
   */
  public @Nullable String await(Predicate<String> wanted, long seconds)
      throws IOException, TimeoutException {
    /* A reader cannot be told how long to wait; a process that is killed ends what it prints. */
    AtomicBoolean late = new AtomicBoolean();
    CompletableFuture<Void> timer =
        CompletableFuture.runAsync(
            () -> {
              late.set(true); // first: its output may end before this does
              process.destroyForcibly();
            },
            CompletableFuture.delayedExecutor(seconds, TimeUnit.SECONDS));
    String line = line();
    while (line != null && !wanted.test(line)) {
      line = line();
    }
    timer.cancel(false);
    if (line == null && late.get()) {
      throw new TimeoutException("no answer in " + seconds + " s");
    }
    return line;
  }

  /** All lines that were read. */
  public List<String> lines() {
    return lines;
  }

  /**
   * Waits for its end.
   *
   * @return what it has ended with; empty if it has not ended, or {@link Process} was not told,
   *     which was seen on JDK 17 and a machine with 20 times more runnable threads than processors
   */
  public OptionalInt exitStatus(long seconds) throws InterruptedException {
    return process.waitFor(seconds, TimeUnit.SECONDS)
        ? OptionalInt.of(process.exitValue())
        : OptionalInt.empty();
  }

  /**
   * Closes its input, and waits for its end.
   *
   * @param name of the JVM, for messages
   * @return all its lines
   * @throws IOException if it fails, or has not ended {@code seconds} after its last line
   */
  public String end(String name, long seconds) throws IOException, InterruptedException {
    endInput();
    while (line() != null) {
      /* It is among the lines. */
    }
    OptionalInt status = exitStatus(seconds);
    String text = String.join("\n", lines) + "\n";
    if (status.orElse(1) != 0) {
      String how = status.isPresent() ? " failed: " : " did not end: ";
      throw new IOException(name + how + text.strip());
    }
    return text;
  }

  /** Kills it, and waits for its end; one behind a remote shell ends when its input does. */
  @Override
  public void close() {
    endInput();
    process
        .destroyForcibly()
        .onExit()
        .completeOnTimeout(process, KILLED_SECONDS, TimeUnit.SECONDS)
        .join();
  }
}

package io.karmi.kit;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A JVM that prints lines and takes commands; killed when it is closed, and when an awaited line
 * does not come in time. Used by one thread.
 */
public final class Jvm implements AutoCloseable {
  private static final int DEADLINE_SECONDS = 90;

  /** Exit code of a process that was killed, by another one or for want of memory. */
  private static final int KILLED = 128 + 9;

  /** For a JVM that is run to its end. */
  private static final int RUN_SECONDS = 300;

  /** Of a JVM that is run to its end: it is over before the second compiler's code pays. */
  private static final String FIRST_COMPILER_ONLY = "-XX:TieredStopAtLevel=1";

  /**
   * Keeps a JVM from mapping a file of its counters. One that starts at the same time looks whether
   * the file is stale, locks it for that, and the owner prints a warning.
   */
  private static final String NO_COUNTERS_FILE = "-XX:-UsePerfData";

  /** System property with the technologies of this JVM and of those that it starts. */
  private static final String TECHNOLOGIES = "karmi.technologies";

  /** System property with an option of each JVM that is started; those of its test follow. */
  private static final String OPTION = "karmi.test.option";

  private final Process process;
  private final Thread reader;

  /** All that has been printed; guarded by itself. */
  private final List<String> lines = new ArrayList<>();

  private boolean over;
  private int awaited;

  private Jvm(List<String> command) throws IOException {
    process = builder(command).redirectErrorStream(true).start();
    reader = new Thread(this::read, "output of " + command.get(command.size() - 1));
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts a JVM of the JDK of the tests: options first, then the main class and its arguments. */
  public static Jvm start(String... arguments) throws IOException {
    return start(Path.of(System.getProperty("java.home")), classPath(), arguments);
  }

  /** Starts a JVM of the JDK of the tests by a command that executes the one behind it. */
  public static Jvm startBy(List<String> prefix, String... arguments) throws IOException {
    return startBy(prefix, Path.of(System.getProperty("java.home")), classPath(), arguments);
  }

  /** Starts a JVM of a JDK with a class path. */
  public static Jvm start(Path jdk, String classPath, String... arguments) throws IOException {
    return startBy(List.of(), jdk, classPath, arguments);
  }

  /** Starts a JVM of a JDK with a class path by a command that executes the one behind it. */
  public static Jvm startBy(List<String> prefix, Path jdk, String classPath, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.add(launcher(jdk).toString());
    command.add(NO_COUNTERS_FILE);
    command.add("-Djava.rmi.server.hostname=127.0.0.1");
    String technologies = System.getProperty(TECHNOLOGIES);
    if (technologies != null) {
      command.add("-D" + TECHNOLOGIES + "=" + technologies);
    }
    String option = System.getProperty(OPTION);
    if (option != null) {
      command.add(option);
    }
    command.add("-Dstdout.encoding=UTF-8");
    command.add("-Dfile.encoding=UTF-8");
    command.add("-cp");
    command.add(classPath);
    command.addAll(Arrays.asList(arguments));
    return new Jvm(command);
  }

  /**
   * What a JVM left behind.
   *
   * @param exit its exit code
   * @param out all of its standard output
   * @param err all of its standard error
   */
  public record Result(int exit, String out, String err) {}

  /** Runs the launcher of the JDK of the tests with these arguments, to its end. */
  public static Result java(Object... arguments) throws IOException, InterruptedException {
    return javaOf(Path.of(System.getProperty("java.home")), arguments);
  }

  /** Runs a JVM of a JDK, or of a runtime image, to its end. */
  public static Result javaOf(Path jdk, Object... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(launcher(jdk).toString());
    command.add(FIRST_COMPILER_ONLY);
    command.add(NO_COUNTERS_FILE);
    Arrays.stream(arguments).map(Object::toString).forEach(command::add);
    File out = File.createTempFile("jvm", ".out");
    File err = File.createTempFile("jvm", ".err");
    try {
      Process process = builder(command).redirectOutput(out).redirectError(err).start();
      if (!process.waitFor(RUN_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("still running: " + command + "\n" + text(out) + text(err));
      }
      return new Result(process.exitValue(), text(out), text(err));
    } finally {
      Files.delete(out.toPath());
      Files.delete(err.toPath());
    }
  }

  /** Variables of the environment change nothing of what a test starts. */
  private static ProcessBuilder builder(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(name -> name.endsWith("JAVA_OPTIONS"));
    builder.environment().remove("CLASSPATH");
    return builder;
  }

  private static String text(File file) throws IOException {
    return Files.readString(file.toPath(), StandardCharsets.UTF_8);
  }

  /** The launcher of a JDK. */
  public static Path launcher(Path jdk) {
    String name = File.separatorChar == '\\' ? "java.exe" : "java";
    return jdk.resolve("bin").resolve(name);
  }

  /** The class path of the tests. */
  public static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  private void read() {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        printed(line);
      }
    } catch (IOException e) {
      printed("cannot read the output: " + e);
    } finally {
      synchronized (lines) {
        over = true;
        lines.notifyAll();
      }
    }
  }

  private void printed(String line) {
    synchronized (lines) {
      lines.add(line);
      lines.notifyAll();
    }
  }

  /**
   * Waits for the next line that begins so; those that were awaited before do not count.
   *
   * @return the rest of the line
   */
  public String awaitLine(String beginning) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    synchronized (lines) {
      while (true) {
        while (awaited < lines.size()) {
          String line = lines.get(awaited++);
          if (line.startsWith(beginning)) {
            return line.substring(beginning.length());
          }
        }
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0 || over) {
          destroy();
          throw new AssertionError("no line that begins with '" + beginning + "': " + lines);
        }
        lines.wait(left);
      }
    }
  }

  /** Sends a command and waits for the line of its answer; returns the rest of that line. */
  public String ask(String command, String answer) throws IOException, InterruptedException {
    tell(command);
    return awaitLine(answer);
  }

  /** Sends a command; lines that came before it do not count as answers. */
  public void tell(String command) throws IOException {
    synchronized (lines) {
      awaited = lines.size();
    }
    process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  /** Waits for the JVM to end by itself; false if it does not in time. */
  public boolean ended() throws InterruptedException {
    if (!process.waitFor(RUN_SECONDS, TimeUnit.SECONDS)) {
      close();
      return false;
    }
    reader.join();
    return true;
  }

  /** All that it prints until it ends by itself. */
  public List<String> everything() throws InterruptedException {
    if (!ended()) {
      throw new AssertionError("does not end: " + lines());
    }
    if (process.exitValue() == KILLED) {
      throw new AssertionError("was killed: " + lines());
    }
    return lines();
  }

  /** What it has printed so far. */
  public List<String> lines() {
    synchronized (lines) {
      return new ArrayList<>(lines);
    }
  }

  /** The lines so far that begin so. */
  public List<String> linesWith(String beginning) {
    return lines().stream().filter(line -> line.startsWith(beginning)).collect(Collectors.toList());
  }

  /**
   * Waits for lines that begin so, whether they were awaited before or not. What a JVM prints may
   * be read here after what it does in another one is seen.
   *
   * @return all such lines, at least as many as are waited for
   */
  public List<String> awaitLinesWith(String beginning, int count) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    synchronized (lines) {
      while (true) {
        List<String> found = linesWith(beginning);
        if (found.size() >= count) {
          return found;
        }
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0 || over) {
          destroy();
          throw new AssertionError(
              found.size() + " of " + count + " lines with '" + beginning + "': " + lines);
        }
        lines.wait(left);
      }
    }
  }

  /** Its process id. */
  public long pid() {
    return process.pid();
  }

  /** Sends it a signal, such as {@code STOP}; only where there is a {@code kill}. */
  public void signal(String name) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    if (kill.waitFor() != 0) {
      throw new IOException("kill -" + name + " failed");
    }
  }

  /** Kills it as nothing else can (SIGKILL on POSIX), and leaves its output open. */
  private void destroy() {
    process.toHandle().destroyForcibly();
  }

  /**
   * Kills it, and waits until it is gone and all lines that it has printed have been read.
   *
   * <p>If its output were closed before that, the thread that reads it would take lines of the next
   * JVM, whose output gets the number of the same descriptor: a read that the kernel restarts, or
   * whose thread has waited for a processor, asks for the number and not for the output.
   */
  public void kill() throws InterruptedException {
    destroy();
    process.waitFor();
    reader.join();
  }

  /** The same; an interrupt ends the wait. */
  @Override
  public void close() {
    try {
      kill();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

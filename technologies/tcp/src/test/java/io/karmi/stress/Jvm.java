package io.karmi.stress;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM of the stress test: takes commands, prints lines, can be killed and stopped. */
final class Jvm implements AutoCloseable {
  private static final long DEADLINE_SECONDS = 60;

  private final Process process;
  private final List<String> lines = new ArrayList<>();

  Jvm(Class<?> main, List<String> options, String argument) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Djava.rmi.server.hostname=127.0.0.1");
    command.add("-XX:+UseSerialGC");
    command.add("-Xmx64m");
    command.addAll(options);
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(main.getName());
    command.add(argument);
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    Thread reader = new Thread(this::read, "output of " + main.getSimpleName());
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        synchronized (lines) {
          lines.add(line);
          lines.notifyAll();
        }
      }
    } catch (IOException e) {
      synchronized (lines) {
        lines.add("cannot read: " + e);
      }
    }
  }

  /** Waits for the next line that begins so; those before it stay. */
  String await(String beginning, int from) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    synchronized (lines) {
      for (int at = from; ; ) {
        while (at < lines.size()) {
          String line = lines.get(at++);
          if (line.startsWith(beginning)) {
            return line;
          }
        }
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) {
          throw new AssertionError("no line that begins with " + beginning + ": " + lines);
        }
        lines.wait(left);
      }
    }
  }

  Jvm ready() throws InterruptedException {
    await("ready", 0);
    return this;
  }

  /** Sends a command and waits for its answer. */
  String ask(String command, String answer) throws IOException, InterruptedException {
    int before;
    synchronized (lines) {
      before = lines.size();
    }
    process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
    return await(answer, before);
  }

  List<String> linesWith(String beginning) {
    List<String> found = new ArrayList<>();
    synchronized (lines) {
      for (String line : lines) {
        if (line.startsWith(beginning)) {
          found.add(line);
        }
      }
    }
    return found;
  }

  /** Sends it a signal, such as {@code STOP}; only where there is a {@code kill}. */
  void signal(String name) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    if (kill.waitFor() != 0) {
      throw new IOException("kill -" + name + " failed");
    }
  }

  /** Kills it as nothing else can (SIGKILL on POSIX). */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}

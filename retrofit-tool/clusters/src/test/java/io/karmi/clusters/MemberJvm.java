package io.karmi.clusters;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A member of a cluster in a JVM of its own, which is killed when it is closed. */
final class MemberJvm implements AutoCloseable {
  private static final long DEADLINE_SECONDS = 120;
  private static final String ENDED = "= ended";

  private final Process process;
  private final String name;

  /** What it has printed, with the errors; guarded by itself. */
  private final List<String> output = new ArrayList<>();

  /** Lines of standard output that are not yet looked at; guarded by {@code output}. */
  private final List<String> unread = new ArrayList<>();

  private MemberJvm(List<String> command, String name) throws IOException {
    this.name = name;
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(each -> each.endsWith("JAVA_OPTIONS"));
    process = builder.start();
    readInBackground(process.getInputStream(), true);
    readInBackground(process.getErrorStream(), false);
  }

  /** Starts a member and waits until it is ready. */
  static MemberJvm start(List<String> options, String kind, int own, int other) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-XX:TieredStopAtLevel=1"); // over before the second compiler pays
    command.add("-Xmx256m");
    command.add("-Djava.net.preferIPv4Stack=true");
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add("members.Member");
    command.add(kind);
    command.add(Integer.toString(own));
    command.add(Integer.toString(other));
    MemberJvm member = new MemberJvm(command, kind + " " + options);
    boolean ready = false;
    try {
      member.answer();
      ready = true;
      return member;
    } finally {
      if (!ready) {
        member.close();
      }
    }
  }

  private void readInBackground(InputStream stream, boolean answers) {
    Thread reader = new Thread(() -> read(stream, answers), "output of " + name);
    reader.setDaemon(true);
    reader.start();
  }

  private void read(InputStream stream, boolean answers) {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        add(line, answers);
      }
    } catch (IOException e) {
      add("cannot read the output: " + e, answers);
    }
    add(ENDED, answers);
  }

  private void add(String line, boolean answer) {
    synchronized (output) {
      output.add(line);
      if (answer) {
        unread.add(line);
        output.notifyAll();
      }
    }
  }

  /** The rest of the first line that begins so. */
  String line(String beginning) {
    synchronized (output) {
      return output.stream()
          .filter(line -> line.startsWith(beginning))
          .findFirst()
          .orElseThrow(() -> new AssertionError(beginning + " is not printed by " + this))
          .substring(beginning.length());
    }
  }

  /** Sends a command and returns the answer. */
  String ask(String command) throws Exception {
    process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
    return answer();
  }

  private String answer() throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    synchronized (output) {
      while (true) {
        while (!unread.isEmpty()) {
          String line = unread.remove(0);
          if (line.equals(ENDED)) {
            throw new AssertionError("has ended: " + this);
          }
          if (line.startsWith("= ")) {
            return line.substring(2);
          }
        }
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (left <= 0) {
          throw new AssertionError("no answer from " + this);
        }
        output.wait(left);
      }
    }
  }

  /** Asks until the answer is what is expected, or the deadline has come; returns the last one. */
  String askUntil(String command, String expected) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    String answer = ask(command);
    while (!answer.equals(expected) && System.nanoTime() < deadline) {
      Thread.sleep(50);
      answer = ask(command);
    }
    return answer;
  }

  /** Its kind, its options and the last that it has printed. */
  @Override
  public String toString() {
    synchronized (output) {
      return name
          + ", which printed\n"
          + String.join("\n", output.subList(Math.max(0, output.size() - 60), output.size()));
    }
  }

  /** Kills it as nothing else can, and waits until it is gone. */
  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

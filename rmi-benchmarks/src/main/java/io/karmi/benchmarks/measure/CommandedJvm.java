package io.karmi.benchmarks.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A JVM that executes commands of one line, one after the other. It answers each by {@code done},
 * the processor time of its process in nanoseconds, and what the command returns. Not thread-safe.
 */
public final class CommandedJvm implements AutoCloseable {
  private static final String DONE = "done ";

  /** Longest time from the last line of a JVM to its end. */
  private static final long END_SECONDS = 60;

  private final Child child;

  /** What such a JVM does. */
  public interface Program {
    /** Makes what a command needs; this does not count. */
    void prepare(String... words) throws Exception;

    /** Executes a command. */
    String execute(String... words) throws Exception;
  }

  /**
   * The answer to a command.
   *
   * @param nanos processor time
   */
  public record Answer(long nanos, String text) {}

  private CommandedJvm(Child child) {
    this.child = child;
  }

  /** Starts one with the class path of this JVM, whose main method calls {@link #serve}. */
  public static CommandedJvm start(Class<?> main, String... options) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add("-Djava.rmi.server.hostname=127.0.0.1");
    arguments.add("-Xmx1g");
    arguments.addAll(List.of(options));
    arguments.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    return new CommandedJvm(Child.start(arguments));
  }

  /** In the JVM: executes commands until its input ends; ends the JVM if one fails. */
  public static void serve(Program program) {
    try {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] words = line.split(" ");
        program.prepare(words);
        long before = ProcessCounters.cpuNanos();
        String said = program.execute(words);
        System.out.println(DONE + (ProcessCounters.cpuNanos() - before) + ' ' + said);
      }
    } catch (Exception | LinkageError e) {
      e.printStackTrace();
      System.exit(1);
    }
  }

  /** Begins a command. */
  public void tell(String command) throws IOException {
    child.tell(command);
  }

  /** Waits for the end of the command that has begun. */
  public Answer answer() throws IOException {
    String line = child.line();
    if (line == null || !line.startsWith(DONE)) {
      throw new IOException("a process of the benchmark has ended, or says " + line);
    }
    String[] words = line.split(" ", 3);
    return new Answer(Long.parseLong(words[1]), words[2]);
  }

  /** Executes a command. */
  public Answer ask(String command) throws IOException {
    tell(command);
    return answer();
  }

  /** Ends its input, at which it ends. */
  @Override
  public void close() throws IOException {
    try (child) {
      child.end("a process of the benchmark", END_SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

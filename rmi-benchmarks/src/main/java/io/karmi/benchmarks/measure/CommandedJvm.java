package io.karmi.benchmarks.measure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A JVM that executes commands of one line, one after the other. It says {@code ready} when what a
 * command needs is made, is told to go, and answers by {@code done} and what the command returns.
 * Its processor time is read from here, which takes none of its own. Not thread-safe.
 */
public final class CommandedJvm implements AutoCloseable {
  private static final String READY = "ready";
  private static final String GO = "go";
  private static final String DONE = "done ";

  /** Longest time from the last line of a JVM to its end. */
  private static final long END_SECONDS = 60;

  private final Child child;
  private final CpuTime cpu;
  private long cpuNanosBefore;

  /** What such a JVM does. */
  public interface Program {
    /** Makes what a command needs; this does not count. */
    default void prepare(String... words) throws Exception {}

    /** Executes a command. */
    String execute(String... words) throws Exception;
  }

  /**
   * The answer to a command.
   *
   * @param nanos processor time of the process, from its preparation on
   */
  public record Answer(long nanos, String text) {}

  private CommandedJvm(Child child) {
    this.child = child;
    cpu = child.cpuTime();
  }

  /** Starts one with the class path of this JVM, whose main method calls {@link #serve}. */
  public static CommandedJvm start(Class<?> main, String... options) throws IOException {
    return startBy(List.of(), main, List.of(options));
  }

  /** The same, started by a command that executes the one behind it, with arguments. */
  public static CommandedJvm startBy(
      List<String> prefix, Class<?> main, List<String> options, String... words)
      throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.add("-Djava.rmi.server.hostname=127.0.0.1");
    arguments.add("-Xmx1g");
    arguments.addAll(options);
    arguments.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    arguments.addAll(List.of(words));
    return new CommandedJvm(Child.startBy(prefix, arguments));
  }

  /** In the JVM: executes commands until its input ends; ends the JVM if one fails. */
  public static void serve(Program program) {
    try {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] words = line.split(" ");
        program.prepare(words);
        System.out.println(READY);
        if (!GO.equals(in.readLine())) {
          return;
        }
        System.out.println(DONE + program.execute(words));
      }
    } catch (Exception | LinkageError e) {
      e.printStackTrace();
      System.exit(1);
    }
  }

  /** Begins a command, once it is prepared. */
  public void tell(String command) throws IOException {
    child.tell(command);
    expect(READY);
    cpuNanosBefore = cpuNanos();
    child.tell(GO);
  }

  /** Processor time that its process has used so far. */
  public long cpuNanos() {
    return cpu.nanos();
  }

  /** Its next line, which begins like this; returns what is behind. */
  private String expect(String beginning) throws IOException {
    String line = child.line();
    if (line == null || !line.startsWith(beginning)) {
      throw new IOException("a process of the benchmark has ended, or says " + line);
    }
    return line.substring(beginning.length());
  }

  /** Waits for the end of the command that has begun. */
  public Answer answer() throws IOException {
    String said = expect(DONE);
    return new Answer(cpuNanos() - cpuNanosBefore, said);
  }

  /** Executes a command. */
  public Answer ask(String command) throws IOException {
    tell(command);
    return answer();
  }

  /** Ends them one after the other; an error of one is told when all have ended. */
  public static void closeAll(List<CommandedJvm> all) throws IOException {
    IOException failed = null;
    for (CommandedJvm each : all) {
      try {
        each.close();
      } catch (IOException e) {
        failed = e;
      }
    }
    if (failed != null) {
      throw failed;
    }
  }

  /** Ends it at once. */
  public void kill() {
    child.close();
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

package io.karmi.benchmarks.stacks;

import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.measure.Task;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A server's and a client's program in a JVM each, on one stack, for as long as there are {@link
 * Task}s for them.
 *
 * <p>The server's main class prints {@code port N}; the client's gets N as its argument, then reads
 * tasks and prints {@link Measurement}s; when there are no more tasks both end by themselves.
 * Whatever else happens, {@link #close} leaves no process behind.
 *
 * <p>For one thread.
 */
public final class TwoJvms implements AutoCloseable {
  /** A run that did not give its measurements; the message holds what the JVMs printed last. */
  public static final class RunFailedException extends IOException {
    private static final long serialVersionUID = 1;

    RunFailedException(String message) {
      super(message);
    }
  }

  /**
   * Where everything is.
   *
   * @param karmiHome the distribution's folder
   * @param logs a folder for what the JVMs print
   * @param programs the jar or folder of the programs
   */
  public record Place(Path karmiHome, Path logs, Path programs) {}

  private static final long SERVER_START_SECONDS = 60;
  private static final long END_SECONDS = 20;

  /** A client that takes longer than this, beside what it was told to take, hangs. */
  private static final long GRACE_SECONDS = 60;

  private static final int LINES_SHOWN = 12;

  private final Stack stack;
  private final Jvm server;
  private final Jvm client;

  private TwoJvms(Stack stack, Jvm server, Jvm client) {
    this.stack = stack;
    this.server = server;
    this.client = client;
  }

  /**
   * Starts both.
   *
   * @throws RunFailedException if the server failed or did not start in time
   */
  public static TwoJvms start(Stack stack, Place place) throws IOException, InterruptedException {
    Jvm server = new Jvm(stack, true, place, List.of());
    try {
      String port = server.await("port ", SERVER_START_SECONDS).substring("port ".length());
      return new TwoJvms(stack, server, new Jvm(stack, false, place, List.of(port)));
    } catch (IOException | RuntimeException e) {
      server.destroy();
      throw e;
    }
  }

  /**
   * Lets the client do {@code task}.
   *
   * @throws RunFailedException if a JVM failed or hung
   */
  public Measurement measure(Task task) throws IOException {
    client.tell(task.toLine());
    long told = TimeUnit.MILLISECONDS.toSeconds(task.millis());
    return Measurement.parse(client.await(Measurement.MARK + "\t", GRACE_SECONDS + 3 * told));
  }

  /**
   * Tells the client that there are no more tasks, and waits for both to end.
   *
   * @throws RunFailedException if one failed or did not end
   */
  public void end() throws IOException, InterruptedException {
    client.tellNoMore();
    client.awaitEnd();
    server.awaitEnd();
  }

  /** Ends what is still alive. */
  @Override
  public void close() {
    client.destroy();
    server.destroy();
  }

  @Override
  public String toString() {
    return stack.title();
  }

  /** One of the two. */
  private static final class Jvm {
    private final String name;
    private final Process process;
    private final BufferedReader printed;
    private final PrintStream commands;
    private final Path log;
    private final List<String> lines = new ArrayList<>();

    Jvm(Stack stack, boolean asServer, Place place, List<String> arguments) throws IOException {
      String role = asServer ? "server" : "client";
      this.name = stack.title() + ": the " + role;
      Files.createDirectories(place.logs());
      this.log = place.logs().resolve(stack.name().toLowerCase(Locale.ROOT) + "-" + role + ".log");
      List<String> command = stack.command(asServer, place.karmiHome(), place.programs());
      command.addAll(arguments);
      ProcessBuilder builder = new ProcessBuilder(command);
      builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
      builder.redirectErrorStream(true);
      this.process = builder.start();
      InputStream out = process.getInputStream();
      this.printed = new BufferedReader(new InputStreamReader(out, StandardCharsets.UTF_8));
      this.commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    void tell(String line) {
      commands.println(line);
    }

    void tellNoMore() {
      commands.close();
    }

    /** Waits for a line that begins with {@code start}. */
    String await(String start, long seconds) throws IOException {
      /* A reader cannot be told how long to wait; a process that is ended ends what it prints. */
      CompletableFuture<Void> timer =
          CompletableFuture.runAsync(
              process::destroyForcibly,
              CompletableFuture.delayedExecutor(seconds, TimeUnit.SECONDS));
      try {
        for (String line = printed.readLine(); line != null; line = printed.readLine()) {
          lines.add(line);
          if (line.startsWith(start)) {
            return line;
          }
        }
      } finally {
        timer.cancel(false);
      }
      throw failure(
          timer.isDone() && !timer.isCancelled()
              ? "did not answer in " + seconds + " s"
              : "ended with " + process.onExit().join().exitValue());
    }

    void awaitEnd() throws IOException, InterruptedException {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        throw failure("did not end in " + END_SECONDS + " s");
      }
      printed.lines().forEach(lines::add);
      if (process.exitValue() != 0) {
        throw failure("ended with " + process.exitValue());
      }
    }

    /** Ends it, and leaves what it printed in its log. */
    void destroy() {
      process.destroyForcibly();
      try {
        Files.write(log, lines);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private RunFailedException failure(String what) {
      int from = Math.max(0, lines.size() - LINES_SHOWN);
      String last = String.join("\n  ", lines.subList(from, lines.size()));
      return new RunFailedException(
          name + " " + what + "; it printed last (all of it is in " + log + "):\n  " + last);
    }
  }
}

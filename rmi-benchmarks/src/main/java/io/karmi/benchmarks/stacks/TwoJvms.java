package io.karmi.benchmarks.stacks;

import io.karmi.benchmarks.measure.Measurement;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Runs a server's and a client's program in a JVM each, on one stack.
 *
 * <p>The server's main class prints {@code port N}; the client's gets N as its first argument and
 * prints {@link Measurement}s; then both end by themselves. Whatever else happens, no process is
 * left behind.
 */
public final class TwoJvms {
  /** A run that did not give its measurements; the message holds what the JVMs printed last. */
  public static final class RunFailedException extends IOException {
    private static final long serialVersionUID = 1;

    RunFailedException(String message) {
      super(message);
    }
  }

  private static final long SERVER_START_SECONDS = 60;
  private static final long SERVER_END_SECONDS = 20;
  private static final int LINES_SHOWN = 12;

  private final Path karmiHome;
  private final Path logs;
  private final Path programs;
  private final long patienceSeconds;

  /**
   * @param karmiHome the distribution's folder
   * @param logs a folder for what the JVMs print
   * @param programs the jar or folder of the programs
   * @param patienceSeconds how long a client may take
   */
  public TwoJvms(Path karmiHome, Path logs, Path programs, long patienceSeconds) {
    this.karmiHome = karmiHome;
    this.logs = logs;
    this.programs = programs;
    this.patienceSeconds = patienceSeconds;
  }

  /**
   * Runs both programs once.
   *
   * @throws RunFailedException if a JVM failed, hung or did not end
   */
  public List<Measurement> run(Stack stack, List<String> clientArguments)
      throws IOException, InterruptedException {
    Path serverLog = logs.resolve(stack.name().toLowerCase(Locale.ROOT) + "-server.log");
    Path clientLog = logs.resolve(stack.name().toLowerCase(Locale.ROOT) + "-client.log");
    Process server = start(stack, true, List.of(), serverLog);
    try {
      List<String> arguments = new ArrayList<>();
      arguments.add(awaitPort(stack, server, serverLog));
      arguments.addAll(clientArguments);
      Process client = start(stack, false, arguments, clientLog);
      try {
        awaitEnd(stack, "client", client, patienceSeconds, clientLog);
      } finally {
        client.destroyForcibly();
      }
      awaitEnd(stack, "server", server, SERVER_END_SECONDS, serverLog);
    } finally {
      server.destroyForcibly();
    }
    return Files.readAllLines(clientLog).stream()
        .filter(Measurement::isLine)
        .map(Measurement::parse)
        .toList();
  }

  private Process start(Stack stack, boolean asServer, List<String> arguments, Path log)
      throws IOException {
    Files.createDirectories(logs);
    Files.deleteIfExists(log);
    List<String> command = stack.command(asServer, karmiHome, programs);
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.redirectErrorStream(true);
    builder.redirectOutput(log.toFile());
    Process process = builder.start();
    process.getOutputStream().close();
    return process;
  }

  private static String awaitPort(Stack stack, Process server, Path log)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SERVER_START_SECONDS);
    do {
      boolean ended = server.waitFor(20, TimeUnit.MILLISECONDS);
      try (BufferedReader lines = Files.newBufferedReader(log)) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          if (line.matches("port \\d+")) {
            return line.substring("port ".length());
          }
        }
      }
      if (ended) {
        throw failure(stack, "the server ended with " + server.exitValue(), log);
      }
    } while (System.nanoTime() < deadline);
    throw failure(stack, "the server did not start in " + SERVER_START_SECONDS + " s", log);
  }

  private static void awaitEnd(Stack stack, String role, Process process, long seconds, Path log)
      throws IOException, InterruptedException {
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      throw failure(stack, "the " + role + " did not end in " + seconds + " s", log);
    }
    if (process.exitValue() != 0) {
      throw failure(stack, "the " + role + " ended with " + process.exitValue(), log);
    }
  }

  private static RunFailedException failure(Stack stack, String what, Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    String printed =
        String.join("\n  ", lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size()));
    return new RunFailedException(
        stack.title() + ": " + what + "; it printed (" + log + "):\n  " + printed);
  }
}

package io.karmi.benchmarks.stacks;

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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/** One JVM of a stack: told tasks by lines, and read by lines. */
final class Jvm {
  private static final long END_SECONDS = 60;
  private static final int LINES_SHOWN = 12;

  private final String name;
  private final Process process;
  private final BufferedReader printed;
  private final PrintStream commands;
  private final Path log;
  private final List<String> lines = new ArrayList<>();

  Jvm(String name, List<String> command, Path logs) throws IOException {
    this.name = name;
    Files.createDirectories(logs);
    this.log = logs.resolve(name + ".log");
    this.process = new ProcessBuilder(command).redirectErrorStream(true).start();
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
            process::destroyForcibly, CompletableFuture.delayedExecutor(seconds, TimeUnit.SECONDS));
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

  /**
   * Waits for its end. It has measured all by now: if it does not end, that is told, with what its
   * threads do in its log, and {@link #destroy} ends it.
   *
   * @throws IOException if it has ended as programs do that have failed
   */
  void awaitEnd() throws IOException, InterruptedException {
    if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
      lines.add(threads());
      System.err.println(
          "karmi-bench rmi: "
              + name
              + " has measured all and did not end in "
              + END_SECONDS
              + " s; what its threads do is in "
              + log);
      return;
    }
    printed.lines().forEach(lines::add);
    if (process.exitValue() != 0) {
      throw failure("ended with " + process.exitValue());
    }
  }

  /** A thread dump, of a process of this host. */
  private String threads() throws IOException, InterruptedException {
    Process dump =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(process.pid()),
                "Thread.print")
            .redirectErrorStream(true)
            .start();
    CompletableFuture<String> text =
        CompletableFuture.supplyAsync(
            () ->
                new BufferedReader(
                        new InputStreamReader(dump.getInputStream(), StandardCharsets.UTF_8))
                    .lines()
                    .collect(Collectors.joining("\n")));
    try {
      return text.get(END_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      return "no thread dump: " + e;
    } finally {
      dump.destroyForcibly();
    }
  }

  /** Has it printed this, as far as it was read? */
  boolean hasPrinted(String text) {
    return lines.stream().anyMatch(line -> line.contains(text));
  }

  /** Ends it, and leaves what it printed in its log. */
  void destroy() {
    /* A JVM behind a remote shell ends when its input does. */
    commands.close();
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

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

  /** Pause between two questions to the operating system. */
  private static final long LOOK_MILLIS = 500;

  /** So often a process is not there before {@link Process} is no longer waited for. */
  private static final int LOOKS_GONE = 10;

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
    CompletableFuture<List<String>> rest =
        CompletableFuture.supplyAsync(() -> printed.lines().toList(), Jvm::inThreadOfItsOwn);
    switch (end(process, TimeUnit.SECONDS.toNanos(END_SECONDS))) {
      case ALIVE -> {
        lines.add(threads());
        System.err.println(
            "karmi-bench rmi: "
                + name
                + " has measured all and did not end in "
                + END_SECONDS
                + " s; what its threads do is in "
                + log);
      }
      case GONE -> {
        addRest(rest);
        lines.add("its exit status is unknown; this JVM waits for it here:\n" + reapers());
      }
      default -> {
        addRest(rest);
        if (process.exitValue() != 0) {
          throw failure("ended with " + process.exitValue());
        }
      }
    }
  }

  /** How a process is seen. */
  enum End {
    /** It has not ended. */
    ALIVE,
    /** It has ended, and its exit status is known. */
    KNOWN,
    /**
     * The operating system does not know it any more, but {@link Process} has not been told. Seen
     * on JDK 17 and a machine with 20 times more runnable threads than processors: the log of the
     * JVM said that it had ended, and {@link Process#waitFor} still waited a minute later.
     */
    GONE
  }

  /** Waits, and asks the operating system, too. */
  static End end(Process process, long nanos) throws InterruptedException {
    long deadline = System.nanoTime() + nanos;
    int timesGone = 0;
    while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
      timesGone = process.toHandle().isAlive() ? 0 : timesGone + 1;
      if (timesGone == LOOKS_GONE) {
        return process.isAlive() ? End.GONE : End.KNOWN;
      }
      if (System.nanoTime() - deadline >= 0) {
        return End.ALIVE;
      }
    }
    return End.KNOWN;
  }

  /** What it prints at its end is read while it ends: it could not end with a full pipe. */
  private void addRest(CompletableFuture<List<String>> rest) throws InterruptedException {
    try {
      lines.addAll(rest.get(END_SECONDS, TimeUnit.SECONDS));
    } catch (ExecutionException | TimeoutException e) {
      lines.add("the rest of its output was not read: " + e);
    }
  }

  private static void inThreadOfItsOwn(Runnable reading) {
    Thread thread = new Thread(reading, "output");
    thread.setDaemon(true);
    thread.start();
  }

  /** The stacks of this JVM's threads that wait for processes. */
  private static String reapers() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(each -> each.getKey().getName().startsWith("process reaper"))
        .map(each -> each.getKey() + " " + List.of(each.getValue()))
        .collect(Collectors.joining("\n"));
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

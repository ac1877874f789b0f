package io.karmi.benchmarks.startup;

import com.google.gson.GsonBuilder;
import io.karmi.benchmarks.measure.Child;
import io.karmi.benchmarks.measure.ProcessFolders;
import io.karmi.benchmarks.measure.TimeLeft;
import io.karmi.benchmarks.options.CommandLines;
import io.karmi.cli.Command;
import io.karmi.cli.Unfinished;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.ParseException;

/** {@code karmi-bench startup}: its options, and what comes out. */
public final class StartupCommand {
  private static final String USAGE =
      """
      usage: karmi-bench startup [--classes=2000] [--copies=0] [--rounds=15] [--only=agent|remote]
                                 [--json=FILE] [--help]

      agent:  how much longer a program of this many classes takes from start to end with an agent:
              with one that does nothing, and with KaRMI's. The program may also copy as many small
              graphs of objects, each by two streams of its own.
      remote: how much later a server is ready, and a client has called it once, than on stock RMI:
              with KaRMI's agent, and with karmic's stubs and woven classes on the class path and
              -Dkarmi.codegen=off; also with the JDK's cache of loaded classes
              (-XX:SharedArchiveFile, from JDK 25 on -XX:AOTCache).

      Both, where --only names none. Medians of --rounds rounds, in each all in turn. "cpu added" is the
      processor time, which a busy machine does not change; 0 where the system does not tell it.""";

  private StartupCommand() {}

  /** Exit code 0, 1 for a run that failed, 2 for a command line that makes no sense. */
  public static int run(String[] arguments, PrintStream out, PrintStream err) {
    return CommandLines.run(
        "startup",
        USAGE,
        CommandLines.withValues("classes", "copies", "rounds", "only", "json"),
        line -> run(line, out, err),
        arguments,
        out,
        err);
  }

  private static int run(CommandLine line, PrintStream out, PrintStream err)
      throws ParseException, IOException, InterruptedException {
    int classes = CommandLines.number(line, "classes", 2000, 1, 9999);
    int copies = CommandLines.number(line, "copies", 0, 0, 999_999);
    int rounds = CommandLines.number(line, "rounds", 15, 1, 999);
    CommandLines.checkOutput(line.getOptionValue("json", "-"));
    measure(line, classes, copies, rounds, out, err);
    return Command.DONE;
  }

  private static void measure(
      CommandLine line, int classes, int copies, int rounds, PrintStream out, PrintStream err)
      throws IOException, InterruptedException, ParseException {
    String only = line.getOptionValue("only", "");
    if (!List.of("", "agent", "remote").contains(only)) {
      throw new ParseException("--only is agent or remote, not " + only);
    }
    Path karmi = Child.karmiJar();
    Map<String, Object> results = new LinkedHashMap<>();
    Path directory = Unfinished.add(Files.createTempDirectory("karmi-startup"));
    try {
      if (!only.equals("remote")) {
        List<StartupBenchmark.Row> rows =
            agents(directory, karmi, classes, copies, rounds, left(err, rounds));
        print(rows, classes, copies, out);
        results.put("agent", rows);
      }
      if (!only.equals("agent")) {
        List<RemoteStartup.Row> rows =
            new RemoteStartup(directory, karmi).run(rounds, left(err, rounds));
        print(rows, out);
        results.put("remote", rows);
      }
    } finally {
      ProcessFolders.delete(directory);
      Unfinished.remove(directory);
    }
    if (line.hasOption("json")) {
      String json = new GsonBuilder().setPrettyPrinting().create().toJson(results);
      Files.writeString(Path.of(line.getOptionValue("json")), json + "\n");
    }
  }

  private static Consumer<String> left(PrintStream err, int rounds) {
    return new TimeLeft(err, "karmi-bench startup", rounds + 1)::next;
  }

  private static List<StartupBenchmark.Row> agents(
      Path directory, Path karmi, int classes, int copies, int rounds, Consumer<String> steps)
      throws IOException, InterruptedException {
    SampleProgram program = new SampleProgram(directory, classes, copies);
    StartupBenchmark benchmark = new StartupBenchmark(program.write());
    benchmark.add("no agent");
    benchmark.add("an agent that does nothing", "-javaagent:" + program.writeEmptyAgent());
    benchmark.add("KaRMI", "-javaagent:" + karmi);
    return benchmark.run(rounds, steps);
  }

  private static void print(
      List<StartupBenchmark.Row> rows, int classes, int copies, PrintStream out) {
    out.printf(
        Locale.ROOT,
        "Start to end of a program of %d classes that copies %d graphs, JDK %s, %d processors%n%n",
        classes,
        copies,
        System.getProperty("java.version"),
        Runtime.getRuntime().availableProcessors());
    out.printf(Locale.ROOT, "%-28s %10s %10s%n", "", "ms", "added");
    for (StartupBenchmark.Row row : rows) {
      out.printf(
          Locale.ROOT,
          "%-28s %10.0f %+10.0f%n",
          row.title(),
          row.medianMillis(),
          row.addedMillis());
    }
  }

  private static void print(List<RemoteStartup.Row> rows, PrintStream out) {
    out.printf(
        Locale.ROOT,
        "%nA server until it is ready, a client until it has called it once and ended; ms, JDK %s%n%n",
        System.getProperty("java.version"));
    out.printf(
        Locale.ROOT,
        "%-46s %8s %8s %10s %8s %8s %10s%n",
        "",
        "server",
        "added",
        "cpu added",
        "client",
        "added",
        "cpu added");
    for (RemoteStartup.Row row : rows) {
      out.printf(
          Locale.ROOT,
          "%-46s %8.0f %+8.0f %+10.0f %8.0f %+8.0f %+10.0f%n",
          row.title(),
          row.serverMillis(),
          row.serverAddedMillis(),
          row.serverCpuAddedMillis(),
          row.clientMillis(),
          row.clientAddedMillis(),
          row.clientCpuAddedMillis());
    }
  }
}

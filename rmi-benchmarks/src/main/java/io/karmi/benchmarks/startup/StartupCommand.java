package io.karmi.benchmarks.startup;

import com.google.gson.GsonBuilder;
import io.karmi.benchmarks.measure.Child;
import io.karmi.benchmarks.measure.ProcessFolders;
import io.karmi.benchmarks.measure.TimeLeft;
import io.karmi.benchmarks.options.CommandLines;
import io.karmi.benchmarks.options.Subcommand;
import io.karmi.cli.Command;
import io.karmi.cli.Unfinished;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.ParseException;

/** {@code karmi-bench startup}: its options, and what comes out. */
public final class StartupCommand {
  private static final String USAGE =
      """
      usage: karmi-bench startup [--rounds=15] [--json=FILE] [--help]

      How much later a server is ready, and a client has called it once, than on stock RMI: with
      KaRMI's agent, and with karmic's stubs and woven classes on the class path and
      -Dkarmi.codegen=off; also with the JDK's cache of loaded classes (-XX:SharedArchiveFile, from
      JDK 25 on -XX:AOTCache).

      Medians of --rounds rounds, in each all in turn. "cpu added" is the
      processor time, which a busy machine does not change; 0 where the system does not tell it.""";

  public static final Subcommand COMMAND = new Subcommand("startup", USAGE, StartupCommand::run);

  private StartupCommand() {}

  private static int run(CommandLine line, PrintStream out, PrintStream err)
      throws ParseException, IOException, InterruptedException {
    int rounds = CommandLines.number(line, "rounds", 15, 1, 999);
    CommandLines.checkOutput(line.getOptionValue("json", "-"));
    Path karmi = Child.karmiJar();
    Path directory = Unfinished.add(Files.createTempDirectory("karmi-startup"));
    List<RemoteStartup.Row> rows;
    try {
      TimeLeft left = new TimeLeft(err, "karmi-bench startup", rounds + 1);
      rows = new RemoteStartup(directory, karmi).run(rounds, left::next);
    } finally {
      ProcessFolders.delete(directory);
      Unfinished.remove(directory);
    }
    print(rows, out);
    if (line.hasOption("json")) {
      String json = new GsonBuilder().setPrettyPrinting().create().toJson(rows);
      Files.writeString(Path.of(line.getOptionValue("json")), json + "\n");
    }
    return Command.DONE;
  }

  private static void print(List<RemoteStartup.Row> rows, PrintStream out) {
    out.printf(
        Locale.ROOT,
        "A server until it is ready, a client until it has called it once and ended; ms, JDK %s%n%n",
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

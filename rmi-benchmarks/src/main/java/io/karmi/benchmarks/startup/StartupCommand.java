package io.karmi.benchmarks.startup;

import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;

/** {@code karmi-bench startup}: its options, and what comes out. */
public final class StartupCommand {
  private static final String USAGE =
      """
      usage: karmi-bench startup [--classes=2000] [--copies=0] [--rounds=15] [--json=FILE] [--help]

      How much longer a program of so many classes takes from start to end with an agent: with one
      that does nothing, and with KaRMI's. Medians of so many rounds. The program may also copy so
      many small graphs of objects, each by two streams of its own.""";

  private StartupCommand() {}

  /** Exit code 0, 1 for a run that failed, 2 for a command line that makes no sense. */
  public static int run(String[] arguments, PrintStream out, PrintStream err)
      throws InterruptedException {
    try {
      CommandLine line = new DefaultParser().parse(options(), arguments);
      if (line.hasOption("help")) {
        out.println(USAGE);
        return 0;
      }
      int classes = number(line, "classes", 2000, 1, 9999);
      int copies = number(line, "copies", 0, 0, 999_999);
      List<StartupBenchmark.Row> rows =
          measure(classes, copies, number(line, "rounds", 15, 1, 999));
      print(rows, classes, copies, out);
      if (line.hasOption("json")) {
        String json = new GsonBuilder().setPrettyPrinting().create().toJson(rows);
        Files.writeString(Path.of(line.getOptionValue("json")), json + "\n");
      }
      return 0;
    } catch (ParseException e) {
      err.println("karmi-bench startup: " + e.getMessage() + " (see --help)");
      return 2;
    } catch (IOException e) {
      err.println("karmi-bench startup: " + e.getMessage());
      return 1;
    }
  }

  private static Options options() {
    return new Options()
        .addOption(null, "classes", true, null)
        .addOption(null, "copies", true, null)
        .addOption(null, "rounds", true, null)
        .addOption(null, "json", true, null)
        .addOption("h", "help", false, null);
  }

  private static int number(CommandLine line, String name, int otherwise, int least, int most)
      throws ParseException {
    String value = line.getOptionValue(name, Integer.toString(otherwise));
    if (!value.matches("\\d{1,6}")
        || Integer.parseInt(value) < least
        || Integer.parseInt(value) > most) {
      throw new ParseException(
          "--" + name + " is a number from " + least + " to " + most + ", not " + value);
    }
    return Integer.parseInt(value);
  }

  private static List<StartupBenchmark.Row> measure(int classes, int copies, int rounds)
      throws IOException, InterruptedException {
    String home = System.getProperty("karmi.home");
    if (home == null) {
      throw new IOException("start it with the command karmi-bench: karmi.home is not set");
    }
    Path directory = Files.createTempDirectory("karmi-startup");
    try {
      SampleProgram program = new SampleProgram(directory, classes, copies);
      StartupBenchmark benchmark = new StartupBenchmark(program.write());
      benchmark.add("no agent");
      benchmark.add("an agent that does nothing", "-javaagent:" + program.writeEmptyAgent());
      benchmark.add("KaRMI", "-javaagent:" + Path.of(home, "lib", "karmi.jar"));
      return benchmark.run(rounds);
    } finally {
      delete(directory);
    }
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

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> walk = Files.walk(directory)) {
      for (Path path : (Iterable<Path>) walk.sorted(Comparator.reverseOrder())::iterator) {
        Files.delete(path);
      }
    }
  }
}

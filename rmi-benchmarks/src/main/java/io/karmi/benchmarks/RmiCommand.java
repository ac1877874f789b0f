package io.karmi.benchmarks;

import io.karmi.benchmarks.options.CommandLines;
import io.karmi.benchmarks.options.Subcommand;
import io.karmi.benchmarks.report.HtmlReport;
import io.karmi.benchmarks.report.TextTable;
import io.karmi.benchmarks.results.Results;
import io.karmi.benchmarks.results.ResultsFile;
import io.karmi.benchmarks.stacks.Campaign;
import io.karmi.benchmarks.stacks.Constellations;
import io.karmi.benchmarks.stacks.KernelName;
import io.karmi.benchmarks.stacks.MemoryForJvms;
import io.karmi.benchmarks.stacks.Place;
import io.karmi.benchmarks.stacks.Plan;
import io.karmi.benchmarks.stacks.Stack;
import io.karmi.benchmarks.stacks.Technologies;
import io.karmi.cli.Command;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.ParseException;
import org.jspecify.annotations.Nullable;

/** {@code karmi-bench rmi}: makes a plan of its options, runs it, and writes what comes out. */
final class RmiCommand {
  /** Default extent of the measurements. */
  private record Effort(
      List<String> kernels,
      int forks,
      int rounds,
      int warmUpMillis,
      int settleMillis,
      int measureMillis,
      int budgetSeconds) {
    static Effort of(CommandLine line) {
      return line.hasOption("quick")
          ? new Effort(Constellations.QUICK, 1, 4, 60, 200, 25, 225)
          : line.hasOption("short")
              ? new Effort(Constellations.SHORT, 1, 5, 400, 400, 100, 86_400)
              : new Effort(Constellations.all(), 3, 5, 400, 400, 100, 86_400);
    }
  }

  /** With fewer rounds none can be told to be a calm one. */
  private static final int FEW_ROUNDS = 4;

  static final Subcommand COMMAND = new Subcommand("rmi", RmiOptions.HELP, RmiCommand::run);

  private RmiCommand() {}

  private static int run(CommandLine line, PrintStream out, PrintStream err)
      throws ParseException, IOException, InterruptedException {
    Place place = RmiOptions.place(line);
    Plan asked = plan(line);
    Plan plan = asked.withStacks(Technologies.usable(asked.stacks(), place, RmiCommand::say));
    if (plan.stacks().isEmpty()) {
      throw new IOException("no stack is left to measure");
    }
    String json = json(line);
    Path page = page(line, json);
    CommandLines.checkOutput(json);
    if (page != null) {
      CommandLines.checkOutput(page.toString());
    }
    String processors = line.getOptionValue("processors", "awake");
    if (!List.of("awake", "asleep").contains(processors)) {
      throw new ParseException("--processors is awake or asleep, not " + processors);
    }
    Results results = run(line, plan, place, json, processors.equals("awake"));
    if (page != null) {
      HtmlReport.write(List.of(results), page);
      say("the same with pictures: " + page);
    }
    return Command.DONE;
  }

  /** The file of the results: beside the page, where only that is named. */
  static String json(CommandLine line) {
    Path page = Path.of(line.getOptionValue("html", "target/report/index.html"));
    return line.getOptionValue("json", page.resolveSibling("rmi.json").toString());
  }

  /** The page: beside the file of the results, where only that is named; none beside a pipe. */
  static @Nullable Path page(CommandLine line, String json) {
    if (line.hasOption("html")) {
      return Path.of(line.getOptionValue("html"));
    }
    return json.equals(ResultsFile.STANDARD_OUTPUT)
        ? null
        : Path.of(json).resolveSibling("index.html");
  }

  private static Results run(
      CommandLine line, Plan plan, Place place, String json, boolean keepsAwake)
      throws IOException, InterruptedException {
    Results results =
        new Campaign(plan, place, json, RmiCommand::say, keepsAwake, MemoryForJvms.ofThisMachine())
            .run(line.hasOption("afresh"));
    boolean jsonOnly = json.equals(ResultsFile.STANDARD_OUTPUT);
    if (jsonOnly) {
      ResultsFile.write(results, json);
    }
    (jsonOnly ? System.err : System.out).print(TextTable.of(results, line.hasOption("brief")));
    int rounds = results.cells().stream().mapToInt(cell -> cell.rounds().size()).min().orElse(0);
    if (rounds < Math.min(FEW_ROUNDS, plan.rounds())) {
      say(fewRounds(rounds));
    }
    say("all of it: " + json);
    return results;
  }

  /** What to say of results that a busy machine has left little time for. */
  static String fewRounds(int rounds) {
    return "only %d %s of each kernel in the time that was given: the machine is busy or slow, and such numbers say little"
        .formatted(rounds, rounds == 1 ? "round" : "rounds");
  }

  /** What the options ask for. */
  static Plan plan(CommandLine line) throws ParseException, IOException {
    Effort effort = Effort.of(line);
    List<Stack> stacks = stacks(line);
    List<KernelName> kernels = kernels(line, effort);
    for (KernelName kernel : kernels) {
      if (!kernel.isOfTheCollection()) {
        throw new ParseException(
            "there is no kernel " + kernel + "; there are " + KernelName.KINDS);
      }
      if (stacks.stream().noneMatch(stack -> stack.runs(kernel))) {
        throw new ParseException("none of the stacks runs " + kernel);
      }
    }
    return new Plan(
        stacks,
        kernels,
        CommandLines.number(line, "forks", effort.forks()),
        CommandLines.number(line, "rounds", effort.rounds()),
        CommandLines.number(line, "warm-up", effort.warmUpMillis()),
        CommandLines.number(line, "settle", effort.settleMillis()),
        CommandLines.number(line, "measure", effort.measureMillis()),
        CommandLines.number(line, "budget", effort.budgetSeconds()));
  }

  private static List<Stack> stacks(CommandLine line) throws ParseException {
    if (line.hasOption("technology")) {
      if (line.hasOption("stacks")) {
        throw new ParseException("--technology and --stacks both choose the stacks: give one");
      }
      return Stack.ofTechnologies(line.getOptionValue("technology"));
    }
    if (!line.hasOption("stacks")) {
      return line.hasOption("short") ? Stack.ofThePaper() : Stack.ofTheCollection();
    }
    return Arrays.stream(line.getOptionValue("stacks").split(","))
        .map(name -> Stack.of(name.strip()))
        .distinct()
        .sorted()
        .toList();
  }

  private static List<KernelName> kernels(CommandLine line, Effort effort)
      throws ParseException, IOException {
    List<String> names = new ArrayList<>(effort.kernels());
    if (line.hasOption("kernels")) {
      String value = line.getOptionValue("kernels");
      names =
          switch (value) {
            case "all" -> new ArrayList<>(Constellations.all());
            case "constellations" -> new ArrayList<>(Constellations.ofThePaper());
            case "payloads" -> new ArrayList<>(Constellations.payloads());
            case "quick" -> new ArrayList<>(Constellations.QUICK);
            case "table3" -> new ArrayList<>(Constellations.TABLE_3);
            default -> new ArrayList<>(Stream.of(value.split(";")).map(String::strip).toList());
          };
    }
    for (String title : RmiOptions.payloadTitles(line)) {
      Constellations.withPayload(title).forEach(names::add);
    }
    return names.stream().distinct().map(KernelName::new).toList();
  }

  private static void say(String text) {
    System.err.println("karmi-bench rmi: " + text);
  }
}

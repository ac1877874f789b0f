package io.karmi.engines;

import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.options.CommandLines;
import io.karmi.benchmarks.options.EnginesOptions;
import io.karmi.benchmarks.report.TextTable;
import io.karmi.benchmarks.results.Collector;
import io.karmi.benchmarks.results.Conditions;
import io.karmi.benchmarks.results.Machine;
import io.karmi.benchmarks.results.Results;
import io.karmi.benchmarks.results.ResultsFile;
import io.karmi.cli.Command;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.ParseException;

/** {@code karmi-bench engines}: runs the workloads on all contestants, by turns. */
public final class EnginesMain {
  private static final int MOST_ROUNDS = 9_999;

  private final CommandLine line;
  private final PrintStream out;
  private final Sizes sizes;
  private final List<Contestant> contestants;
  private final List<String> workloads;

  private EnginesMain(CommandLine line, PrintStream out) throws ParseException {
    this.line = line;
    this.out = out;
    try {
      sizes = Sizes.parse(line.getOptionValue("sizes", Sizes.USUAL.toString()));
      contestants =
          list("stack", usual()).stream()
              .map(name -> name.toUpperCase(Locale.ROOT).replace('-', '_'))
              .map(Contestant::valueOf)
              .toList();
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new ParseException(String.valueOf(e.getMessage()));
    }
    workloads = list("workload", Engine.allWorkloads());
    if (!Engine.allWorkloads().containsAll(workloads)) {
      throw new ParseException("no workload " + workloads);
    }
  }

  private static List<String> usual() {
    return Arrays.stream(Contestant.values())
        .filter(each -> each != Contestant.UKA_SLIM && each != Contestant.UKA_EXCHANGE)
        .map(Enum::name)
        .toList();
  }

  /** The command. */
  public static void main(String[] arguments) throws Exception {
    System.exit(run(arguments, System.out, System.err));
  }

  /** Exit status 0, 1 for a result that differs, 2 for a command line that makes no sense. */
  public static int run(String[] arguments, PrintStream out, PrintStream err) {
    return EnginesOptions.command(EnginesMain::run).run(arguments, out, err);
  }

  private static int run(CommandLine line, PrintStream out, PrintStream err) throws Exception {
    EnginesMain run = new EnginesMain(line, out);
    Collector collector = new Collector(run.conditions(), run.rows());
    run.measure(collector);
    run.report(collector.results(true));
    return Command.DONE;
  }

  private List<String> list(String option, List<String> all) {
    String value = line.getOptionValue(option);
    return value == null ? all : List.of(value.split(","));
  }

  private int rounds() throws ParseException {
    return CommandLines.number(line, "rounds", 9, 1, MOST_ROUNDS);
  }

  private int jobRounds() throws ParseException {
    return CommandLines.number(line, "job-rounds", 3, 1, MOST_ROUNDS);
  }

  /** Upper bound of the memory of each JVM. */
  private String heap() throws ParseException {
    String value = line.getOptionValue("heap", "1g");
    if (!value.matches("[1-9]\\d{0,4}[mg]")) {
      throw new ParseException("--heap=" + value + " is no size, such as 512m or 2g");
    }
    return value;
  }

  private Conditions conditions() throws ParseException {
    return Machine.conditions(
        false,
        List.of(),
        List.of("-Xmx" + heap(), "-XX:+UseSerialGC"),
        "engines " + workloads + " sizes " + sizes + " job rounds " + jobRounds(),
        1,
        rounds(),
        0,
        0);
  }

  private List<Results.StackRow> rows() {
    return contestants.stream()
        .map(each -> new Results.StackRow(each.title, each.title, "" + each.settings, false))
        .toList();
  }

  private void measure(Collector collector) throws IOException, ParseException {
    for (Engine engine : Engine.values()) {
      List<String> ofEngine = workloads.stream().filter(engine.workloads::contains).toList();
      if (!ofEngine.isEmpty()) {
        measure(engine, ofEngine, collector);
      }
    }
  }

  private void measure(Engine engine, List<String> ofEngine, Collector collector)
      throws IOException, ParseException {
    List<WorkerJvm> workers = new ArrayList<>();
    try {
      start(engine, workers);
      for (String workload : ofEngine) {
        boolean isJob = workload.equals(workload.toUpperCase(Locale.ROOT));
        String option = isJob ? "job-warm-up" : "warm-up";
        int warmUp = CommandLines.number(line, option, isJob ? 1 : 4, 0, MOST_ROUNDS);
        int rounds = warmUp + (isJob ? jobRounds() : rounds());
        for (int round = 0; round < rounds; round++) {
          for (WorkerJvm worker : workers) {
            List<Measurement> measured = worker.run(workload);
            if (round >= warmUp) {
              for (Measurement each : measured) {
                collector.add(worker.contestant().title, each);
              }
            }
          }
        }
        ResultsFile.write(collector.results(false), json().toString());
        out.println("done " + workload);
        out.flush();
      }
    } finally {
      workers.forEach(WorkerJvm::close);
    }
  }

  private Path json() {
    return Path.of(line.getOptionValue("json", "engines.json"));
  }

  /* All at once: a JVM that starts mostly waits, and leaves a processor to the others. */
  private void start(Engine engine, List<WorkerJvm> workers) throws IOException, ParseException {
    String agentJar = System.getProperty("karmi.jar", "karmi.jar");
    for (Contestant each : contestants) {
      workers.add(new WorkerJvm(engine, each, sizes, agentJar, heap()));
    }
    for (WorkerJvm worker : workers) {
      worker.awaitReady();
    }
  }

  private void report(Results results) throws IOException {
    Path json = json();
    ResultsFile.write(results, json.toString());
    out.println(TextTable.of(results));
    out.println(
        "us: processor time of the tasks; wire B: in the cache, shuffle, broadcast, state or network");
    out.printf(
        Locale.ROOT,
        "load of the machine: %.1f at the end, on %d processors%n%n",
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        Runtime.getRuntime().availableProcessors());
    out.println("raw results: " + json);
  }
}

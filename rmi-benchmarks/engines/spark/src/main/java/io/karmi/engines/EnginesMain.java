package io.karmi.engines;

import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.report.TextTable;
import io.karmi.benchmarks.results.Collector;
import io.karmi.benchmarks.results.Conditions;
import io.karmi.benchmarks.results.Machine;
import io.karmi.benchmarks.results.Results;
import io.karmi.benchmarks.results.ResultsFile;
import io.karmi.cli.Version;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;

/** {@code karmi-bench engines}: runs the workloads on all contestants, by turns. */
public final class EnginesMain {
  private static final String USAGE =
      """
      usage: karmi-bench engines [--workload=A,B] [--stack=A,B] [--rounds=9] [--job-rounds=3]
                                 [--warm-up=4] [--job-warm-up=1] [--heap=1g]
                                 [--sizes=MEDIA,ORDERS,JOBPERCENT|full]
                                 [--json=engines.json] [--help]

      Parts of Spark jobs, and Flink's state and network, in a JVM for each serializer: all of
      them do a workload, then the next. Times are processor time of the tasks, as Spark counts it
      (of the threads of the tasks in Flink); where it says "whole process" of all threads. Bytes
      (wire B) are those in the cache, the shuffle, the broadcast, the state or the network.
      --sizes=full are 2,000,000 records in shuffles; it takes --heap=4g.
      workloads: %s
      stacks:    %s
      uka-slim runs only if named: types by name and fingerprint, in Flink by fingerprint.
      floor runs only if named: objects stay where they are, and what is left is Spark's own.
      """;

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
        .filter(each -> each != Contestant.FLOOR && each != Contestant.UKA_SLIM)
        .map(Enum::name)
        .toList();
  }

  /** The command. */
  public static void main(String[] arguments) throws Exception {
    System.exit(run(arguments, System.out, System.err));
  }

  /** Exit status 0, 1 for a result that differs, 2 for a command line that makes no sense. */
  public static int run(String[] arguments, PrintStream out, PrintStream err) throws Exception {
    EnginesMain run;
    Collector collector;
    try {
      CommandLine line = new DefaultParser().parse(options(), arguments);
      if (line.hasOption("help") || !line.getArgList().isEmpty()) {
        (line.hasOption("help") ? out : err)
            .printf(USAGE, Engine.allWorkloads(), Arrays.toString(Contestant.values()));
        return line.hasOption("help") ? 0 : 2;
      }
      run = new EnginesMain(line, out);
      collector = new Collector(run.conditions(), run.rows());
    } catch (ParseException e) {
      err.println("karmi-bench engines: " + e.getMessage() + "; see --help");
      return 2;
    }
    try {
      run.measure(collector);
    } catch (Collector.DifferentResultException e) {
      err.println("karmi-bench engines: " + e.getMessage());
      return 1;
    }
    run.report(collector.results(true));
    return 0;
  }

  private static Options options() {
    Options options = new Options();
    for (String name :
        List.of(
            "workload",
            "stack",
            "rounds",
            "job-rounds",
            "warm-up",
            "job-warm-up",
            "sizes",
            "heap",
            "json")) {
      options.addOption(null, name, true, null);
    }
    options.addOption("h", "help", false, null);
    return options;
  }

  private List<String> list(String option, List<String> all) {
    String value = line.getOptionValue(option);
    return value == null ? all : List.of(value.split(","));
  }

  private int number(String option, int otherwise) throws ParseException {
    String value = line.getOptionValue(option, Integer.toString(otherwise));
    if (!value.matches("\\d{1,4}")) {
      throw new ParseException("--" + option + "=" + value + " is no number");
    }
    return Integer.parseInt(value);
  }

  private int rounds() throws ParseException {
    return number("rounds", 9);
  }

  private int jobRounds() throws ParseException {
    return number("job-rounds", 3);
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
    return new Conditions(
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        Version.commit(),
        Machine.describe(),
        Runtime.getRuntime().availableProcessors(),
        false,
        List.of(),
        Machine.jdk(),
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

  private void measure(Collector collector)
      throws IOException, ParseException, Collector.DifferentResultException {
    for (Engine engine : Engine.values()) {
      List<String> ofEngine = workloads.stream().filter(engine.workloads::contains).toList();
      if (!ofEngine.isEmpty()) {
        measure(engine, ofEngine, collector);
      }
    }
  }

  private void measure(Engine engine, List<String> ofEngine, Collector collector)
      throws IOException, ParseException, Collector.DifferentResultException {
    List<WorkerJvm> workers = new ArrayList<>();
    try {
      start(engine, workers);
      for (String workload : ofEngine) {
        boolean isJob = workload.equals(workload.toUpperCase(Locale.ROOT));
        int warmUp = number(isJob ? "job-warm-up" : "warm-up", isJob ? 1 : 4);
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
    for (Contestant each : contestants.stream().filter(engine::has).toList()) {
      workers.add(WorkerJvm.start(engine, each, sizes, agentJar, heap()));
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
    for (Target target : Target.ALL) {
      target.ratio(results).ifPresent(ratio -> out.println(target.line(ratio)));
    }
    out.println("raw results: " + json);
  }
}

package io.karmi.benchmarks.serialization;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * {@code karmi-bench serialization}: runs the benchmark, prints the table and the ratios, writes
 * JSON.
 */
public final class SerializationMain {
  private static final String USAGE =
      """
      usage: karmi-bench serialization [--payload=A,B] [--stack=A,B] [--variety=ONE,ALL]
                                       [--benchmark=serialize,deserialize,serializeFresh,create]
                                       [--millis=300] [--iterations=5] [--forks=1]
                                       [--json=serialization.json] [--verbose] [--help]
      payloads: %s
      stacks:   %s""";

  private SerializationMain() {}

  public static void main(String[] arguments) throws Exception {
    System.exit(run(arguments, System.out, System.err));
  }

  /** Exit code 0, 1 for a benchmark that failed, 2 for a command line that makes no sense. */
  public static int run(String[] arguments, PrintStream out, PrintStream err) throws Exception {
    CommandLine line;
    try {
      line = new DefaultParser().parse(options(), arguments);
    } catch (ParseException e) {
      err.println("karmi-bench serialization: " + e.getMessage() + "; see --help");
      return 2;
    }
    if (line.hasOption("help")) {
      out.printf(
          Locale.ROOT,
          USAGE + "%n",
          Arrays.toString(SerializationPayload.values()),
          Arrays.toString(SerializationStack.values()));
      return 0;
    }
    Path json = Path.of(line.getOptionValue("json", "serialization.json"));
    if (json.toAbsolutePath().getParent() != null) {
      Files.createDirectories(json.toAbsolutePath().getParent());
    }
    Collection<RunResult> results = run(line);
    ResultFormatFactory.getInstance(ResultFormatType.JSON, json.toString()).writeOut(results);
    SerializationTable table = new SerializationTable(results);
    table.print(out);
    out.println("raw results: " + json);
    return table.isEmpty() ? 1 : 0;
  }

  /** One fork of each stack, then the next: what disturbs the machine disturbs them all. */
  private static Collection<RunResult> run(CommandLine line) throws RunnerException {
    Map<BenchmarkParams, List<BenchmarkResult>> forks = new LinkedHashMap<>();
    for (int fork = 0; fork < number(line, "forks", 1); fork++) {
      for (RunResult result : new Runner(jmh(line).build()).run()) {
        forks
            .computeIfAbsent(result.getParams(), key -> new ArrayList<>())
            .addAll(result.getBenchmarkResults());
      }
    }
    List<RunResult> results = new ArrayList<>();
    forks.forEach((params, all) -> results.add(new RunResult(params, all)));
    return results;
  }

  private static Options options() {
    Options options = new Options();
    for (String name :
        List.of(
            "payload", "stack", "variety", "benchmark", "millis", "iterations", "forks", "json")) {
      options.addOption(null, name, true, null);
    }
    options.addOption(null, "verbose", false, null);
    options.addOption("h", "help", false, null);
    return options;
  }

  private static ChainedOptionsBuilder jmh(CommandLine line) {
    TimeValue time = TimeValue.milliseconds(number(line, "millis", 300));
    int iterations = number(line, "iterations", 5);
    ChainedOptionsBuilder builder =
        new OptionsBuilder()
            .param("stack", names(line, "stack", usableStacks()))
            .param("payload", names(line, "payload", allNames(SerializationPayload.values())))
            .param("variety", names(line, "variety", List.of("ONE")))
            .forks(1)
            .warmupIterations(iterations)
            .warmupTime(time)
            .measurementIterations(iterations)
            .measurementTime(time)
            .addProfiler(GCProfiler.class)
            .addProfiler(ProcessorTime.class)
            .shouldFailOnError(false)
            .verbosity(line.hasOption("verbose") ? VerboseMode.NORMAL : VerboseMode.SILENT);
    for (String benchmark : names(line, "benchmark", List.of("serialize", "deserialize"))) {
      builder.include("SerializationBenchmark\\." + benchmark + "$");
    }
    return builder;
  }

  private static int number(CommandLine line, String option, int otherwise) {
    return Integer.parseInt(line.getOptionValue(option, String.valueOf(otherwise)));
  }

  private static String[] names(CommandLine line, String option, List<String> otherwise) {
    String value = line.getOptionValue(option);
    return value == null ? otherwise.toArray(String[]::new) : value.split(",");
  }

  private static List<String> allNames(Enum<?>[] constants) {
    List<String> names = new ArrayList<>();
    for (Enum<?> constant : constants) {
      names.add(constant.name());
    }
    return names;
  }

  /** A peer that this JDK does not let run is left out, aloud. */
  private static List<String> usableStacks() {
    List<String> usable = new ArrayList<>();
    for (SerializationStack stack : SerializationStack.values()) {
      try {
        stack.open();
        usable.add(stack.name());
      } catch (Exception | LinkageError e) {
        System.err.println(stack + " does not run on this JDK: " + e);
      }
    }
    return usable;
  }
}

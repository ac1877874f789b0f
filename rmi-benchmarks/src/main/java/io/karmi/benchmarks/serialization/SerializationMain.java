package io.karmi.benchmarks.serialization;

import io.karmi.benchmarks.measure.TimeLeft;
import io.karmi.benchmarks.options.CommandLines;
import io.karmi.benchmarks.options.Subcommand;
import io.karmi.benchmarks.report.TextTable;
import io.karmi.benchmarks.results.Results;
import io.karmi.benchmarks.results.ResultsFile;
import io.karmi.benchmarks.serialization.SerializationBenchmark.Variety;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.ParseException;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
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
      usage: karmi-bench serialization [--payload=NAMES] [--stack=NAMES]
                                       [--variety=ONE,ALL] [--fresh]
                                       [--benchmark=serialize,deserialize,serializeFresh,create]
                                       [--millis=300] [--iterations=5] [--forks=1]
                                       [--json=target/report/serialization.json]
                                       [--verbose] [--help]

      --fresh writes objects that were never written before; the time to make them is subtracted.
      --json is a file for karmi-bench report and compare.

        --payload  one or more, or a group of them of [PAPERS, COMMON]; PAPERS if none is named
                   PAPERS: %s
                   COMMON: %s
        --stack    one or more of %s""";
  private static final List<String> BENCHMARKS =
      List.of("serialize", "deserialize", "serializeFresh", "create");

  public static final Subcommand COMMAND =
      new Subcommand("serialization", help(), SerializationMain::run);

  private SerializationMain() {}

  private static int run(CommandLine line, PrintStream out, PrintStream err) throws Exception {
    String json = line.getOptionValue("json", "target/report/serialization.json");
    CommandLines.checkOutput(json);
    int forks = CommandLines.number(line, "forks", 1);
    Collection<RunResult> runs = run(jmh(line), stacks(line), forks, err);
    Results results = SerializationResults.of(runs, forks);
    if (results.cells().isEmpty()) {
      throw new IOException("nothing was measured; --verbose shows why");
    }
    out.print(TextTable.of(results));
    results.stacks().forEach(row -> out.println(row.title() + ": " + row.configuration()));
    out.print(SerializationResults.ratios(results));
    ResultsFile.write(results, json);
    out.println("for karmi-bench report: " + json);
    return 0;
  }

  private static String help() {
    return String.format(
        Locale.ROOT,
        USAGE + "%n",
        SerializationPayload.Group.PAPERS.payloads(),
        SerializationPayload.Group.COMMON.payloads(),
        Arrays.toString(SerializationStack.values()));
  }

  /** One fork of each stack, then the next: what disturbs the machine disturbs them all. */
  private static Collection<RunResult> run(
      ChainedOptionsBuilder jmh, List<String> stacks, int forks, PrintStream err)
      throws RunnerException {
    TimeLeft left = new TimeLeft(err, "karmi-bench serialization", forks * stacks.size());
    Map<BenchmarkParams, List<BenchmarkResult>> byParams = new LinkedHashMap<>();
    for (int fork = 1; fork <= forks; fork++) {
      for (String stack : stacks) {
        left.next(stack + ", fork " + fork);
        for (RunResult result :
            new Runner(new OptionsBuilder().parent(jmh.build()).param("stack", stack).build())
                .run()) {
          byParams
              .computeIfAbsent(result.getParams(), key -> new ArrayList<>())
              .addAll(result.getBenchmarkResults());
        }
      }
    }
    List<RunResult> results = new ArrayList<>();
    byParams.forEach((params, all) -> results.add(new RunResult(params, all)));
    return results;
  }

  private static ChainedOptionsBuilder jmh(CommandLine line) throws ParseException {
    TimeValue time = TimeValue.milliseconds(CommandLines.number(line, "millis", 300));
    int iterations = CommandLines.number(line, "iterations", 5);
    List<String> varieties =
        CommandLines.listed(line, "variety", "ONE", allNames(Variety.values()));
    ChainedOptionsBuilder builder =
        new OptionsBuilder()
            .param("payload", payloads(line))
            .param("variety", varieties.toArray(String[]::new))
            .forks(1)
            /* Else a short run measures the kernel, which hands out pages at the first touch. */
            .jvmArgsAppend("-XX:+AlwaysPreTouch")
            .warmupIterations(iterations)
            .warmupTime(time)
            .measurementIterations(iterations)
            .measurementTime(time)
            .addProfiler(GCProfiler.class)
            .addProfiler(ProcessorTime.class)
            .shouldFailOnError(false)
            .verbosity(line.hasOption("verbose") ? VerboseMode.NORMAL : VerboseMode.SILENT);
    String usual =
        line.hasOption("fresh") ? "serializeFresh,create,deserialize" : "serialize,deserialize";
    for (String benchmark : CommandLines.listed(line, "benchmark", usual, BENCHMARKS)) {
      builder.include("SerializationBenchmark\\." + benchmark + "$");
    }
    return builder;
  }

  private static List<String> stacks(CommandLine line) throws ParseException {
    List<String> all = allNames(SerializationStack.values());
    return CommandLines.listed(line, "stack", String.join(",", all), all);
  }

  /** Groups are opened; a payload that is named twice is measured once. */
  private static String[] payloads(CommandLine line) throws ParseException {
    Map<String, Set<SerializationPayload>> byName = SerializationPayload.byName();
    Set<SerializationPayload> payloads = EnumSet.noneOf(SerializationPayload.class);
    for (String name : CommandLines.listed(line, "payload", "PAPERS", byName.keySet())) {
      payloads.addAll(byName.get(name));
    }
    return payloads.stream().map(Enum::name).toArray(String[]::new);
  }

  private static List<String> allNames(Enum<?>[] constants) {
    return Arrays.stream(constants).map(Enum::name).toList();
  }
}

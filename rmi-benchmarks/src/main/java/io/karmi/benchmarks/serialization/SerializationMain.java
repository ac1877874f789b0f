package io.karmi.benchmarks.serialization;

import io.karmi.benchmarks.measure.TimeLeft;
import io.karmi.benchmarks.options.CommandLines;
import io.karmi.benchmarks.results.ResultsFile;
import io.karmi.benchmarks.serialization.SerializationBenchmark.Variety;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
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
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
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
                                       [--json=target/report/serialization.json] [--jmh=FILE]
                                       [--verbose] [--help]
             karmi-bench serialization --in-turn=library,agent [--payload=NAMES]
                                       [--variety=ONE|ALL] [--millis=300] [--iterations=9]

      --fresh writes objects that were never written before; the time to make them is subtracted.
      --in-turn measures a stream per message in the JDK's format, by the library on the class path
      or by the agent, beside java.io in the same JVM, with fresh objects; ratios are medians.
      --json is a file for karmi-bench report and compare, --jmh one in JMH's own form.

        --payload  one or more, or a group of them of [PAPERS, COMMON]; PAPERS if none is named
                   PAPERS: %s
                   COMMON: %s
        --stack    one or more of %s""";
  private static final List<String> BENCHMARKS =
      List.of("serialize", "deserialize", "serializeFresh", "create");

  private SerializationMain() {}

  public static void main(String[] arguments) throws Exception {
    System.exit(run(arguments, System.out, System.err));
  }

  /** Exit code 0, 1 for a benchmark that failed, 2 for a command line that makes no sense. */
  public static int run(String[] arguments, PrintStream out, PrintStream err) {
    Options options =
        CommandLines.withValues(
            "payload",
            "stack",
            "variety",
            "benchmark",
            "in-turn",
            "millis",
            "iterations",
            "forks",
            "json",
            "jmh");
    options.addOption(null, "fresh", false, null).addOption(null, "verbose", false, null);
    return CommandLines.run(
        "serialization", help(), options, line -> run(line, out, err), arguments, out, err);
  }

  private static int run(CommandLine line, PrintStream out, PrintStream err) throws Exception {
    if (line.hasOption("in-turn")) {
      measureInTurn(line, out);
      return 0;
    }
    String json = line.getOptionValue("json", "target/report/serialization.json");
    CommandLines.checkOutput(json);
    ChainedOptionsBuilder jmh = jmh(line);
    int forks = CommandLines.number(line, "forks", 1);
    List<SerializationStack> stacks = stacks(line);
    TimeLeft left = new TimeLeft(err, "karmi-bench serialization", forks * steps(line, stacks));
    Collection<RunResult> results = run(jmh, stacks, forks, left);
    if (line.hasOption("jmh")) {
      Path raw = Path.of(line.getOptionValue("jmh")).toAbsolutePath();
      Files.createDirectories(raw.getParent());
      ResultFormatFactory.getInstance(ResultFormatType.JSON, raw.toString()).writeOut(results);
    }
    SerializationTable table = new SerializationTable(results);
    table.print(out);
    if (table.isEmpty()) {
      throw new IOException("nothing was measured; --verbose shows why");
    }
    ResultsFile.write(SerializationResults.of(results, forks), json);
    out.println("for karmi-bench report: " + json);
    return 0;
  }

  private static void measureInTurn(CommandLine line, PrintStream out) throws Exception {
    String[] deliveries = names(line, "in-turn", "", Streams.DELIVERIES);
    String[] payloads = line.hasOption("payload") ? payloads(line) : Streams.PAYLOADS.split(",");
    boolean together = names(line, "variety", "ONE", allNames(Variety.values()))[0].equals("ALL");
    new Streams(
            CommandLines.number(line, "iterations", 9),
            CommandLines.number(line, "millis", 300),
            out)
        .measure(deliveries, payloads, together);
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
      ChainedOptionsBuilder jmh, List<SerializationStack> stacks, int forks, TimeLeft left)
      throws RunnerException {
    Map<BenchmarkParams, List<BenchmarkResult>> byParams = new LinkedHashMap<>();
    for (int fork = 0; fork < forks; fork++) {
      for (List<SerializationStack> alike : byOptions(stacks)) {
        for (RunResult result : runner(options(jmh, alike), left).run()) {
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

  /** Tells of each benchmark, beside what the verbosity asks for. */
  private static Runner runner(org.openjdk.jmh.runner.options.Options options, TimeLeft left) {
    OutputFormat format =
        OutputFormatFactory.createFormatInstance(System.out, options.verbosity().get());
    return new Runner(
        options,
        (OutputFormat)
            Proxy.newProxyInstance(
                OutputFormat.class.getClassLoader(),
                new Class<?>[] {OutputFormat.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("startBenchmark")) {
                    BenchmarkParams params = (BenchmarkParams) arguments[0];
                    left.next(
                        params.getBenchmark().replaceFirst(".*\\.", "")
                            + ' '
                            + params.getParam("payload")
                            + ' '
                            + params.getParam("stack"));
                  }
                  return method.invoke(format, arguments);
                }));
  }

  /** A library that needs options of the JVM does not give them to the others. */
  private static Collection<List<SerializationStack>> byOptions(List<SerializationStack> stacks) {
    Map<List<String>, List<SerializationStack>> alike = new LinkedHashMap<>();
    for (SerializationStack stack : stacks) {
      alike.computeIfAbsent(stack.jvmOptions(), key -> new ArrayList<>()).add(stack);
    }
    return alike.values();
  }

  private static org.openjdk.jmh.runner.options.Options options(
      ChainedOptionsBuilder jmh, List<SerializationStack> stacks) {
    List<String> jvmOptions = new ArrayList<>(stacks.get(0).jvmOptions());
    /* Else a short run measures the kernel, which hands out the heap's pages at the first touch. */
    jvmOptions.add("-XX:+AlwaysPreTouch");
    return new OptionsBuilder()
        .parent(jmh.build())
        .param("stack", stacks.stream().map(Enum::name).toArray(String[]::new))
        .jvmArgsAppend(jvmOptions.toArray(String[]::new))
        .build();
  }

  private static ChainedOptionsBuilder jmh(CommandLine line) throws ParseException {
    TimeValue time = TimeValue.milliseconds(CommandLines.number(line, "millis", 300));
    int iterations = CommandLines.number(line, "iterations", 5);
    ChainedOptionsBuilder builder =
        new OptionsBuilder()
            .param("payload", payloads(line))
            .param("variety", varieties(line))
            .forks(1)
            .warmupIterations(iterations)
            .warmupTime(time)
            .measurementIterations(iterations)
            .measurementTime(time)
            .addProfiler(GCProfiler.class)
            .addProfiler(ProcessorTime.class)
            .shouldFailOnError(false)
            .verbosity(line.hasOption("verbose") ? VerboseMode.NORMAL : VerboseMode.SILENT);
    for (String benchmark : benchmarks(line)) {
      builder.include("SerializationBenchmark\\." + benchmark + "$");
    }
    return builder;
  }

  private static String[] benchmarks(CommandLine line) throws ParseException {
    String otherwise =
        line.hasOption("fresh") ? "serializeFresh,create,deserialize" : "serialize,deserialize";
    return names(line, "benchmark", otherwise, BENCHMARKS);
  }

  /** Benchmarks of one fork. */
  private static int steps(CommandLine line, List<SerializationStack> stacks)
      throws ParseException {
    return payloads(line).length * varieties(line).length * stacks.size() * benchmarks(line).length;
  }

  private static String[] varieties(CommandLine line) throws ParseException {
    return names(line, "variety", "ONE", allNames(Variety.values()));
  }

  private static List<SerializationStack> stacks(CommandLine line) throws ParseException {
    return line.hasOption("stack")
        ? Stream.of(names(line, "stack", "", allNames(SerializationStack.values())))
            .map(SerializationStack::valueOf)
            .toList()
        : usableStacks();
  }

  /** Groups are opened; a payload that is named twice is measured once. */
  private static String[] payloads(CommandLine line) throws ParseException {
    Map<String, Set<SerializationPayload>> byName = SerializationPayload.byName();
    Set<SerializationPayload> payloads = EnumSet.noneOf(SerializationPayload.class);
    for (String name : names(line, "payload", "PAPERS", byName.keySet())) {
      payloads.addAll(byName.get(name));
    }
    return payloads.stream().map(Enum::name).toArray(String[]::new);
  }

  private static String[] names(
      CommandLine line, String option, String otherwise, Collection<String> known)
      throws ParseException {
    String[] names = line.getOptionValue(option, otherwise).split(",");
    for (String name : names) {
      if (!known.contains(name)) {
        throw new ParseException("no " + option + " is called " + name + ", only " + known);
      }
    }
    return names;
  }

  private static List<String> allNames(Enum<?>[] constants) {
    List<String> names = new ArrayList<>();
    for (Enum<?> constant : constants) {
      names.add(constant.name());
    }
    return names;
  }

  /**
   * A peer that this JDK does not let run is left out, aloud; one that needs options is tried in
   * its own JVM.
   */
  private static List<SerializationStack> usableStacks() {
    List<SerializationStack> usable = new ArrayList<>();
    for (SerializationStack stack : SerializationStack.values()) {
      try {
        if (stack.jvmOptions().isEmpty()) {
          stack.open();
        }
        usable.add(stack);
      } catch (Exception | LinkageError e) {
        System.err.println(stack + " does not run on this JDK: " + e);
      }
    }
    return usable;
  }
}

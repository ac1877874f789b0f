package io.karmi.benchmarks.startup;

import io.karmi.benchmarks.results.Statistics;
import io.karmi.benchmarks.startup.RemoteProgram.Times;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * Startup of a server and of a client with its first answer, on KaRMI and on stock RMI: each with
 * and without the JDK's cache of loaded classes.
 */
final class RemoteStartup {
  /** From this release on the JDK has one option that makes an ahead-of-time cache. */
  private static final int AOT_RELEASE = 25;

  private final RemoteProgram program;
  private final Path directory;
  private final List<Row> rows = new ArrayList<>();

  /**
   * One way to run the program.
   *
   * @param baseline what it is compared with: stock RMI with the same cache, or itself
   */
  private record Way(
      String title, List<String> server, List<String> client, int baseline, List<Times> times) {}

  private final List<Way> ways = new ArrayList<>();

  /**
   * Medians in milliseconds; added is the median over the rounds of what stock RMI takes less.
   * Processor time is counted in steps of 10 ms, so of it there are means.
   */
  record Row(
      String title,
      double serverMillis,
      double serverAddedMillis,
      double serverCpuAddedMillis,
      double clientMillis,
      double clientAddedMillis,
      double clientCpuAddedMillis) {}

  RemoteStartup(Path directory, Path karmi) throws IOException, InterruptedException {
    this.directory = directory;
    this.program = new RemoteProgram(directory, karmi);
    String stock = program.writeStock();
    String prepared = program.writeAheadOfTime(stock);
    add("stock RMI", 0, List.of("-cp", stock));
    add("KaRMI by its agent", 0, List.of("-javaagent:" + karmi, "-cp", stock));
    List<String> ahead = List.of("-Dkarmi.codegen=off", "-cp", prepared);
    add("KaRMI, stubs and woven classes", 0, ahead);
    int cached = addCached("stock RMI", ways.size(), "stock", List.of("-cp", stock));
    addCached("KaRMI, stubs and woven classes", cached, "karmi", ahead);
  }

  private void add(String title, int baseline, List<String> options) {
    ways.add(new Way(title, options, options, baseline, new ArrayList<>()));
  }

  /** Lets one run make the caches of server and client; returns the number of the way. */
  private int addCached(String title, int baseline, String file, List<String> options)
      throws IOException, InterruptedException {
    Path server = directory.resolve(file + "-server.cache");
    Path client = directory.resolve(file + "-client.cache");
    boolean aot = Runtime.version().feature() >= AOT_RELEASE;
    String make = aot ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=";
    String use = aot ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=";
    program.run(with(make + server, options), with(make + client, options));
    ways.add(
        new Way(
            title + ", " + (aot ? "AOT cache" : "shared archive"),
            with(use + server, options),
            with(use + client, options),
            baseline,
            new ArrayList<>()));
    return ways.size() - 1;
  }

  private static List<String> with(String option, List<String> options) {
    List<String> all = new ArrayList<>(List.of(option));
    all.addAll(options);
    return all;
  }

  /**
   * Measures all ways in turn, after one round that does not count.
   *
   * @param steps told of each round
   */
  List<Row> run(int rounds, Consumer<String> steps) throws IOException, InterruptedException {
    for (int round = -1; round < rounds; round++) {
      steps.accept("server and client");
      for (Way way : ways) {
        Times times = program.run(way.server(), way.client());
        if (round >= 0) {
          way.times().add(times);
        }
      }
    }
    for (Way way : ways) {
      rows.add(row(way, ways.get(way.baseline()).times()));
    }
    return rows;
  }

  private static Row row(Way way, List<Times> baseline) {
    return new Row(
        way.title(),
        Statistics.median(way.times().stream().mapToDouble(Times::serverReady).toArray()),
        Statistics.median(added(way.times(), baseline, Times::serverReady)),
        Statistics.mean(added(way.times(), baseline, Times::serverCpu)),
        Statistics.median(way.times().stream().mapToDouble(Times::clientDone).toArray()),
        Statistics.median(added(way.times(), baseline, Times::clientDone)),
        Statistics.mean(added(way.times(), baseline, Times::clientCpu)));
  }

  private static double[] added(
      List<Times> times, List<Times> baseline, ToDoubleFunction<Times> part) {
    double[] added = new double[times.size()];
    Arrays.setAll(
        added, i -> part.applyAsDouble(times.get(i)) - part.applyAsDouble(baseline.get(i)));
    return added;
  }
}

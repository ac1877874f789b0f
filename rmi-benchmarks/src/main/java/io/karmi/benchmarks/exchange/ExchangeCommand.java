package io.karmi.benchmarks.exchange;

import io.karmi.benchmarks.exchange.ExchangeNodes.Cost;
import io.karmi.benchmarks.exchange.ExchangeNodes.Way;
import io.karmi.benchmarks.measure.Child;
import io.karmi.benchmarks.options.CommandLines;
import io.karmi.benchmarks.options.Subcommand;
import io.karmi.cli.Command;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/** {@code karmi-bench exchange}: its options, and what comes out. */
public final class ExchangeCommand {
  private static final String USAGE =
      """
      usage: karmi-bench exchange [--figure=z11,g6,g7,g8,z13] [--table=3] [--rounds=10]
                                  [--rate=5.5g] [--help]

      Measures what it costs to give a large value to other JVMs: the owner, two readers on its
      host, and one whose files are those of another host are JVMs of their own. By the exchange
      space the owner puts a fresh value once, and each reader makes its own copy of it; by a socket
      the owner sends it to one reader, with Kryo (references on, no class registered) and with UKA;
      by a request of messaging the other host gets it from the owner. All take turns. Numbers are
      medians of the rounds, behind as many that warm up: processor time of all processes that take
      part, and elapsed time, in milliseconds. JVMs are warm after some 100 rounds. The figures are
      those of two papers, ZCOT and the global heap, which docs/exchange-uses.md names.

      z11   ZCOT, figure 11: 65,536 points, pairs and entries of a hash map, 16,384 media
      g6-8  global heap, figures 6 to 8: int[], TreeMap<Integer, String[]>, small objects; g1 and g2,
            the shares of the parts, are printed with g6 and g7
      z13   ZCOT, figure 13: a fetch by pieces of 64 KiB, 1 and 16 MiB

        --table  3: ZCOT, table 3: ranks of URLs that came from a group, with karmi.exchange.dedup
        --rate   rate of the loopback device, in a network namespace of its own: 100m, 1g, 5.5g
                 (root, Linux)""";

  private static final List<Integer> PIECES = List.of(1 << 16, 1 << 20, 1 << 24);

  public static final Subcommand COMMAND = new Subcommand("exchange", USAGE, ExchangeCommand::run);

  private ExchangeCommand() {}

  private static int run(CommandLine line, PrintStream out, PrintStream err)
      throws ParseException, IOException, InterruptedException {
    boolean isTable = line.hasOption("table");
    List<String> figures =
        List.of(
            line.getOptionValue("figure", isTable ? "" : "z11,g6,g7,g8,z13")
                .replace("g1", "g6") // parts of it
                .replace("g2", "g7")
                .split(","));
    int rounds = CommandLines.number(line, "rounds", 10, 1, 999);
    for (String each : figures) {
      if (!each.matches("z11|g[678]|z13") && !(isTable && each.isEmpty())) {
        throw new ParseException("--figure is of z11, z13, g1, g2, g6, g7 and g8, not " + each);
      }
    }
    if (isTable && !line.getOptionValue("table").equals("3")) {
      throw new ParseException("--table is 3");
    }
    if (line.hasOption("rate")) {
      return runAt(CommandLines.rate(line), line);
    }
    share(figures, rounds, out);
    if (figures.contains("z13")) {
      pieces(rounds, out);
    }
    if (isTable) {
      table3(rounds, out);
    }
    return Command.DONE;
  }

  /** Runs the command again where the loopback device has a rate. */
  private static int runAt(String rate, CommandLine line) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                "unshare",
                "-n",
                "sh",
                "-c",
                "ip link set lo up && tc qdisc add dev lo root tbf rate "
                    + rate
                    + "bit burst 1m latency 50ms && exec \"$@\"",
                "sh"));
    String classPath = System.getProperty("java.class.path");
    List<String> itself =
        List.of("-cp", classPath, "io.karmi.benchmarks.KarmiBench", COMMAND.name());
    command.addAll(Child.java(itself).command());
    for (Option each : line.getOptions()) {
      if (!each.getLongOpt().equals("rate")) {
        command.add("--" + each.getLongOpt() + "=" + each.getValue());
      }
    }
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  /** Costs by way. */
  private static final class Costs {
    private final Map<Way, List<Cost>> all = new EnumMap<>(Way.class);

    void add(Way way, Cost cost) {
      all.computeIfAbsent(way, any -> new ArrayList<>()).add(cost);
    }

    private double millis(ToLongFunction<Cost> part, Way... ways) {
      double sum = 0;
      for (Way way : ways) {
        List<Cost> rounds = Objects.requireNonNull(all.get(way));
        long[] sorted = rounds.stream().mapToLong(part).sorted().toArray();
        sum += sorted[sorted.length / 2] / 1e6;
      }
      return sum;
    }

    double cpu(Way... ways) {
      return millis(Cost::cpu, ways);
    }

    void print(PrintStream out, String name, Way... ways) {
      out.printf("  %-26s %9.3f %9.3f", name, cpu(ways), millis(Cost::elapsed, ways));
      if (all.containsKey(Way.KRYO)) {
        out.printf(" %7.2f %7.2f", cpu(ways) / cpu(Way.KRYO), cpu(ways) / cpu(Way.UKA));
      }
      out.println();
    }
  }

  private static void share(List<String> figures, int rounds, PrintStream out) throws IOException {
    List<ExchangePayload> payloads =
        Stream.of(ExchangePayload.values()).filter(each -> figures.contains(each.figure)).toList();
    if (payloads.isEmpty()) {
      return;
    }
    try (ExchangeNodes nodes = new ExchangeNodes()) {
      for (ExchangePayload payload : payloads) {
        Costs costs = new Costs();
        long bytes = 0;
        long calls = 0;
        for (int round = -rounds; round < rounds; round++) {
          if (round == 0) {
            costs = new Costs();
            calls = nodes.directoryCalls();
          }
          bytes = nodes.share(payload, costs::add);
        }
        calls = nodes.directoryCalls() - calls;
        out.printf(
            "%-28s %9s %9s %7s %7s   %,d bytes, %.1f calls of the directory a round%n",
            payload, "cpu ms", "time ms", "/ kryo", "/ uka", bytes, (double) calls / rounds);
        print(out, costs);
      }
    }
  }

  private static void print(PrintStream out, Costs costs) {
    costs.print(out, "kryo, socket", Way.KRYO);
    costs.print(out, "uka, socket", Way.UKA);
    costs.print(out, "put", Way.PUT);
    costs.print(out, "put, get on the host", Way.PUT, Way.GET);
    costs.print(out, "second reader on the host", Way.SECOND_GET);
    costs.print(out, "  its objects, from memory", Way.SECOND_OBJECTS);
    costs.print(out, "the owner meanwhile", Way.OWNER_AT_SECOND);
    double four = costs.cpu(Way.PUT, Way.GET) + 3 * costs.cpu(Way.SECOND_GET);
    out.printf(
        "  %-26s %9.3f %9s %7.2f %7.2f%n",
        "four readers on the host",
        four,
        "",
        four / 4 / costs.cpu(Way.KRYO),
        four / 4 / costs.cpu(Way.UKA));
    costs.print(out, "request from another host", Way.REQUEST);
    costs.print(out, "put, get on another host", Way.PUT, Way.FETCH, Way.MAKE);
    double whole = costs.cpu(Way.PUT, Way.FETCH, Way.MAKE);
    out.printf("    %.2f of the request%n", whole / costs.cpu(Way.REQUEST));
    out.printf(
        "    of which put %.0f%%, fetch %.0f%%, objects %.0f%%%n",
        100 * costs.cpu(Way.PUT) / whole,
        100 * costs.cpu(Way.FETCH) / whole,
        100 * costs.cpu(Way.MAKE) / whole);
  }

  private static void pieces(int rounds, PrintStream out) throws IOException {
    out.printf("%-28s %9s %9s%n", "z13 INTS_16M, pieces of", "cpu ms", "time ms");
    for (int bytes : PIECES) {
      try (ExchangeNodes nodes = new ExchangeNodes("-Dkarmi.internal.exchangePiece=" + bytes)) {
        Costs costs = new Costs();
        for (int round = -rounds; round < rounds; round++) {
          costs = round == 0 ? new Costs() : costs;
          nodes.fetch(ExchangePayload.INTS_16M, costs::add);
        }
        costs.print(out, bytes / 1024 + " KiB", Way.FETCH);
      }
    }
  }

  private static void table3(int rounds, PrintStream out) throws IOException {
    out.printf("%-28s %9s %9s%n", "table 3: ranks of URLs", "cpu ms", "time ms");
    for (boolean dedup : new boolean[] {false, true}) {
      try (ExchangeNodes nodes = new ExchangeNodes("-Dkarmi.exchange.dedup=" + dedup)) {
        nodes.putUrls();
        Costs costs = new Costs();
        long bytes = 0;
        for (int round = -rounds; round < rounds; round++) {
          costs = round == 0 ? new Costs() : costs;
          bytes = nodes.rank(costs::add);
        }
        out.printf("dedup %s: %,d bytes%n", dedup ? "on" : "off", bytes);
        costs.print(out, "put", Way.RANK);
        costs.print(out, "read on the host", Way.RANKS_READ);
      }
    }
  }
}

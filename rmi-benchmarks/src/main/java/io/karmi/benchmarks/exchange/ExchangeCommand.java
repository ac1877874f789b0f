package io.karmi.benchmarks.exchange;

import io.karmi.benchmarks.measure.CommandedJvm;
import io.karmi.benchmarks.options.CommandLines;
import io.karmi.cli.Command;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.ParseException;

/** {@code karmi-bench exchange}: its options, and what comes out. */
public final class ExchangeCommand {
  private static final String USAGE =
      """
      usage: karmi-bench exchange [--figure=z11,g6,g7,g8] [--rounds=10] [--help]

      Measures what it costs to give a large value to other JVMs of this host: the owner and two
      readers are JVMs of their own. By the exchange space the owner puts a fresh value once, and
      each reader makes its own copy of it; by a socket the owner sends it to one reader, with Kryo
      (references on, no class registered) and with UKA. All take turns. Numbers are the
      processor time of all processes that take part, in milliseconds: medians of the rounds,
      behind as many that warm up.

      z11   ZCOT, figure 11: 65,536 points, pairs and entries of a hash map, 16,384 media
      g6-8  global heap, figures 6 to 8: int[], TreeMap<Integer, String[]>, small objects""";

  private ExchangeCommand() {}

  /** Exit code 0, 1 for a run that failed, 2 for a command line that makes no sense. */
  public static int run(String[] arguments, PrintStream out, PrintStream err) {
    return CommandLines.run(
        "exchange",
        USAGE,
        CommandLines.withValues("figure", "rounds"),
        line -> run(line, out),
        arguments,
        out,
        err);
  }

  private static int run(CommandLine line, PrintStream out) throws ParseException, IOException {
    List<String> figures = List.of(line.getOptionValue("figure", "z11,g6,g7,g8").split(","));
    int rounds = CommandLines.number(line, "rounds", 10, 1, 999);
    List<ExchangePayload> payloads =
        Arrays.stream(ExchangePayload.values())
            .filter(each -> figures.contains(each.figure))
            .toList();
    for (String each : figures) {
      if (!each.matches("z11|g[678]")) {
        throw new ParseException("--figure is of z11, g6, g7 and g8, not " + each);
      }
    }
    try (CommandedJvm owner = CommandedJvm.start(ExchangeNode.class);
        CommandedJvm first = CommandedJvm.start(ExchangeNode.class);
        CommandedJvm second = CommandedJvm.start(ExchangeNode.class)) {
      meet(owner, first, second);
      out.printf(
          "%-10s %8s %8s | %8s %8s %8s | %10s %10s %10s %10s%n",
          "ms",
          "kryo",
          "uka",
          "put",
          "get",
          "2nd get",
          "1st/kryo",
          "1st/uka",
          "2nd/kryo",
          "2nd/uka");
      for (ExchangePayload payload : payloads) {
        print(out, payload, measure(payload, rounds, owner, first, second));
      }
    }
    return Command.DONE;
  }

  private static void meet(CommandedJvm owner, CommandedJvm... readers) throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    String url = "//localhost:" + port + "/exchange";
    owner.ask("serve " + port);
    owner.ask("join " + url);
    for (CommandedJvm reader : readers) {
      reader.ask("join " + url);
    }
    String listening = owner.ask("listen").text();
    owner.tell("accept");
    readers[0].ask("connect " + listening);
    owner.answer();
  }

  /** What is measured. */
  private enum Way {
    KRYO,
    UKA,
    PUT,
    GET,
    SECOND_GET
  }

  private static Map<Way, List<Long>> measure(
      ExchangePayload payload,
      int rounds,
      CommandedJvm owner,
      CommandedJvm first,
      CommandedJvm second)
      throws IOException {
    Map<Way, List<Long>> times = new EnumMap<>(Way.class);
    for (int round = -rounds; round < rounds; round++) {
      if (round == 0) {
        times.clear();
      }
      add(times, Way.KRYO, send(payload, "kryo", owner, first));
      add(times, Way.UKA, send(payload, "uka", owner, first));
      CommandedJvm.Answer put = owner.ask("put " + payload);
      add(times, Way.PUT, put.nanos());
      add(times, Way.GET, first.ask("get " + put.text()).nanos());
      add(times, Way.SECOND_GET, second.ask("get " + put.text()).nanos());
      for (CommandedJvm each : List.of(owner, first, second)) {
        each.ask("free");
      }
    }
    return times;
  }

  private static long send(
      ExchangePayload payload, String way, CommandedJvm owner, CommandedJvm reader)
      throws IOException {
    reader.tell("receive " + way);
    long sent = owner.ask("send " + payload + ' ' + way).nanos();
    return sent + reader.answer().nanos();
  }

  private static void add(Map<Way, List<Long>> to, Way way, long nanos) {
    to.computeIfAbsent(way, any -> new ArrayList<>()).add(nanos);
  }

  private static double millis(Map<Way, List<Long>> times, Way way) {
    List<Long> all = new ArrayList<>(times.get(way));
    Collections.sort(all);
    return all.get(all.size() / 2) / 1e6;
  }

  private static void print(PrintStream out, ExchangePayload payload, Map<Way, List<Long>> times) {
    double kryo = millis(times, Way.KRYO);
    double uka = millis(times, Way.UKA);
    double first = millis(times, Way.PUT) + millis(times, Way.GET);
    double second = millis(times, Way.SECOND_GET);
    out.printf(
        "%-10s %8.3f %8.3f | %8.3f %8.3f %8.3f | %10.2f %10.2f %10.2f %10.2f%n",
        payload,
        kryo,
        uka,
        millis(times, Way.PUT),
        millis(times, Way.GET),
        second,
        first / kryo,
        first / uka,
        second / kryo,
        second / uka);
  }
}

package io.karmi.benchmarks.heap;

import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.measure.TimeLeft;
import io.karmi.benchmarks.options.CommandLines;
import io.karmi.benchmarks.options.Subcommand;
import io.karmi.benchmarks.report.TextTable;
import io.karmi.benchmarks.results.Cell;
import io.karmi.benchmarks.results.Collector;
import io.karmi.benchmarks.results.Machine;
import io.karmi.benchmarks.results.Results;
import io.karmi.benchmarks.results.ResultsFile;
import io.karmi.cli.Command;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.ParseException;

/** {@code karmi-bench heap}: its options, and what comes out. */
public final class HeapCommand {
  private static final String USAGE =
      """
      usage: karmi-bench heap [--figure=7,8,9,10,11,t2,t3,t4,t5] [--technology=tcp,shm]
                              [--rounds=3] [--graphs=200] [--full] [--json=FILE] [--help]

      Sends objects that were never sent before from one JVM to another: figures 7 to 11 and tables
      2 to 5 of the Naos paper. JDK, Kryo, Fory (references on, no class registered) and UKA write
      to a socket; channel is an object channel over a socket, elements the same for the elements
      of an array, messages one over messaging, calls are remote calls, on each technology. All
      take turns, and warm up for as many rounds. cpu is the processor time of all processes that
      take part.

      7     one graph, from the beginning of its writing until the sender knows that it is read
      8     graphs of 512 elements, if the sender waits for the last one only
      9     an array in pieces
      10    an array in one; stream-N is a UKA stream that leaves by N bytes
      11    a string that is returned
      t2    processor time to write 1,024 trees, by the objects on each level
      t3    processor time to write, send, receive and read one graph; with the share of the objects
            by the rate of a link, figure 1
      t4    YCSB on a hash table with values of 1 KB
      t5    an iteration of PageRank, in 2 and 3 JVMs, with an object for each update and with arrays

        --technology  of [tcp, uds, shm, ucx]
        --graphs      most graphs, or requests, that a round sends by each way
        --full        the paper's sizes: takes hours where the default takes minutes""";

  /** Rates of the links of figure 1, in gigabits per second. */
  private static final List<Integer> GIGABITS = List.of(1, 10, 100);

  public static final Subcommand COMMAND = new Subcommand("heap", USAGE, HeapCommand::run);

  private HeapCommand() {}

  private static int run(CommandLine line, PrintStream out, PrintStream err)
      throws ParseException, IOException {
    String known = String.join(",", HeapKernel.FIGURES);
    List<String> figures = CommandLines.listed(line, "figure", known, HeapKernel.FIGURES);
    List<String> technologies =
        CommandLines.listed(line, "technology", "tcp,shm", List.of("tcp", "uds", "shm", "ucx"));
    int rounds = CommandLines.number(line, "rounds", 3, 1, 999);
    CommandLines.checkOutput(line.getOptionValue("json", "-"));
    int graphs = CommandLines.number(line, "graphs", 200);
    List<HeapKernel> kernels =
        HeapKernel.of(figures, new HeapKernel.Sizes(line.hasOption("full"), graphs));
    Map<String, HeapNodes> ways = new LinkedHashMap<>();
    List<HeapNodes> all = new ArrayList<>();
    try {
      for (String technology : technologies) {
        HeapNodes nodes = new HeapNodes(technology);
        all.add(nodes);
        for (String way : ways(technology, ways.isEmpty())) {
          nodes.connect(way);
          ways.put(way, nodes);
        }
      }
      Results results = measure(kernels, ways, rounds, err);
      out.print(TextTable.of(results));
      if (figures.contains("t3")) {
        printFigure1(out, results);
      }
      if (line.hasOption("json")) {
        ResultsFile.write(results, line.getOptionValue("json"));
      }
    } finally {
      for (HeapNodes nodes : all) {
        nodes.close();
      }
    }
    return Command.DONE;
  }

  /** The ways of a technology; beside the first one those over a socket, too. */
  private static List<String> ways(String technology, boolean isFirst) {
    List<String> ways = new ArrayList<>();
    if (isFirst) {
      ways.addAll(HeapKernel.CODECS);
      ways.addAll(List.of(Carrier.CHANNEL, Carrier.ELEMENTS));
    }
    ways.addAll(List.of(HeapNodes.MESSAGES + technology, HeapNodes.CALLS + technology));
    if (isFirst) {
      ways.addAll(HeapKernel.PIECES);
    }
    return ways;
  }

  private static Results measure(
      List<HeapKernel> kernels, Map<String, HeapNodes> ways, int rounds, PrintStream err)
      throws IOException {
    List<Results.StackRow> rows =
        ways.keySet().stream().map(way -> new Results.StackRow(way, way, "", false)).toList();
    Collector collector = new Collector(Machine.conditions("heap", 1, rounds, 0, 0), rows);
    TimeLeft left = new TimeLeft(err, "karmi-bench heap", 2 * rounds * kernels.size());
    for (int round = -rounds; round < rounds; round++) {
      for (HeapKernel kernel : kernels) {
        left.next(kernel.title());
        for (Map.Entry<String, HeapNodes> way : ways.entrySet()) {
          if (kernel.ways().test(way.getKey())) {
            for (Measurement each :
                kernel.run().run(way.getValue(), kernel.title(), way.getKey())) {
              if (round >= 0) {
                collector.add(way.getKey(), each);
              }
            }
          }
        }
      }
    }
    return collector.results(true);
  }

  private static void printFigure1(PrintStream out, Results results) {
    out.printf("%n%-28s %-13s", "figure 1", "");
    GIGABITS.forEach(rate -> out.printf(" %10s", rate + " Gb/s"));
    out.println();
    for (String graph : HeapKernel.TABLE_3) {
      for (String way : HeapKernel.CODECS) {
        Cell written = results.cell("t3 " + graph + " write", way).orElseThrow();
        Cell read = results.cell("t3 " + graph + " read", way).orElseThrow();
        double objects = 1000 * (written.calmMicros() + read.calmMicros());
        out.printf("%-28s %-13s", graph, way);
        for (int rate : GIGABITS) {
          double link = written.sentBytes() * Byte.SIZE / rate;
          out.printf(" %9.0f%%", 100 * objects / (objects + link));
        }
        out.println();
      }
    }
    out.println("share of writing and reading in the time by a link of that rate");
  }
}

package io.karmi.benchmarks.messaging;

import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.measure.ProcessFolders;
import io.karmi.benchmarks.measure.TimeLeft;
import io.karmi.benchmarks.options.CommandLines;
import io.karmi.benchmarks.options.Subcommand;
import io.karmi.benchmarks.report.TextTable;
import io.karmi.benchmarks.results.Collector;
import io.karmi.benchmarks.results.Machine;
import io.karmi.benchmarks.results.Results;
import io.karmi.benchmarks.results.ResultsFile;
import io.karmi.cli.Command;
import io.karmi.cli.Unfinished;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.ParseException;

/** {@code karmi-bench messaging}: its options, and what comes out. */
public final class MessagesCommand {
  private static final String DEFAULT_TECHNOLOGIES = "tcp,uds,shm,loopback,nodes";

  /** What {@code --technologies} may name. */
  private static final List<String> COLUMNS =
      List.of("tcp", "uds", "shm", "ucx", MessagesStack.LOOPBACK, MessagesStack.NODES);

  /**
   * Length of the warm-up of each column, in rounds. Where both ends are in one JVM its compilers
   * have to do the work of two.
   */
  private static final int WARM_UP_ROUNDS = 20;

  private static final String USAGE =
      """
      usage: karmi-bench messaging [--technologies=tcp,uds,shm,loopback,nodes] [--rounds=8]
                                   [--millis=300] [--json=FILE] [--help]
             karmi-bench messaging --nodes=2,4,8 [--rate=1g|--loopback] [--rounds=8] [--millis=300]

      Measures what a message costs over each technology, in two JVMs: messages of 64 bytes to
      1 MB and objects of four ints, from 1 to 16 threads, one way and with an answer, and with
      an answer while messages of 8 MB flow; and how late messages arrive of which 10,000 a second
      are to be sent. loopback has both nodes in one JVM and no network;
      nodes has 64 of them, each of which sends to 4 others. KaRMI's calls, a socket and Netty
      that send 64 KB at a time, a stream of gRPC, and Aeron by UDP and by shared memory are
      beside them; they send bytes, no objects. One more socket reads each message into an array of its own. All
      columns take turns. Times are per message, until the last one has arrived.

      With --nodes it measures clusters of 2 to 64 nodes, each in a JVM and a network
      namespace of its own (root, Linux), over tcp: all send to all others, all ask all others from
      1 to 100 threads, and all but the first ask that one for values of 100,000 keys, of which a
      tenth is written. A plain socket between two of them is beside it. Processor time is that of
      all nodes, for each message or request.

        --technologies  of [tcp, uds, shm, ucx, loopback, nodes]
        --rate          with which each node of a cluster sends: 100m, 1g, 5.5g
        --loopback      the nodes of a cluster are on one host""";

  public static final Subcommand COMMAND = new Subcommand("messaging", USAGE, MessagesCommand::run);

  private MessagesCommand() {}

  private static int run(CommandLine line, PrintStream out, PrintStream err)
      throws ParseException, IOException {
    if (line.hasOption("nodes")) {
      return runCluster(line, out);
    }
    List<String> columns = CommandLines.listed(line, "technologies", DEFAULT_TECHNOLOGIES, COLUMNS);
    CommandLines.checkOutput(line.getOptionValue("json", "-"));
    Results results =
        measure(
            columns,
            CommandLines.number(line, "rounds", 8, 1, 999),
            CommandLines.number(line, "millis", 300, 1, 60_000),
            err);
    out.print(TextTable.of(results));
    if (line.hasOption("json")) {
      ResultsFile.write(results, line.getOptionValue("json"));
    }
    return Command.DONE;
  }

  private static int runCluster(CommandLine line, PrintStream out)
      throws ParseException, IOException {
    String rate = CommandLines.rate(line);
    int[] sizes;
    try {
      sizes = Cluster.sizes(line.getOptionValue("nodes"));
    } catch (NumberFormatException e) {
      throw new ParseException("--nodes: " + e.getMessage());
    }
    Cluster.measure(
        sizes,
        rate,
        !line.hasOption("loopback"),
        CommandLines.number(line, "rounds", 8, 1, 999),
        CommandLines.number(line, "millis", 300, 1, 60_000),
        out);
    return Command.DONE;
  }

  private static Results measure(List<String> technologies, int rounds, int millis, PrintStream err)
      throws IOException {
    List<MessagesStack> stacks = new ArrayList<>();
    Path drivers = Unfinished.add(AeronPeer.folder());
    try {
      for (String technology : technologies) {
        stacks.add(MessagesStack.messages(technology));
      }
      stacks.addAll(MessagesStack.others());
      Collector collector =
          new Collector(
              Machine.conditions(
                  "messaging " + String.join(",", technologies), 1, rounds, millis, millis),
              stacks.stream().map(MessagesStack::row).toList());
      for (MessagesStack stack : stacks) {
        stack.start(drivers);
        stack.run(MessageKernel.BYTES_64, WARM_UP_ROUNDS * millis);
      }
      MessageKernel[] kernels = MessageKernel.values();
      TimeLeft left = new TimeLeft(err, "karmi-bench messaging", kernels.length * (rounds + 1));
      for (MessageKernel kernel : kernels) {
        for (int round = -1; round < rounds; round++) {
          left.next(kernel.toString());
          for (MessagesStack stack : stacks) {
            Optional<Measurement> measured = stack.run(kernel, millis);
            if (round >= 0 && measured.isPresent()) {
              collector.add(stack.row().name(), measured.get());
            }
          }
        }
      }
      return collector.results(true);
    } finally {
      stacks.forEach(MessagesStack::close);
      if (Files.exists(drivers)) {
        ProcessFolders.delete(drivers);
      }
      Unfinished.remove(drivers);
    }
  }
}

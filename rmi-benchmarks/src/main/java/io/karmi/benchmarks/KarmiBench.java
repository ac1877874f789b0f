package io.karmi.benchmarks;

import io.karmi.benchmarks.exchange.ExchangeCommand;
import io.karmi.benchmarks.heap.HeapCommand;
import io.karmi.benchmarks.messaging.MessagesCommand;
import io.karmi.benchmarks.options.EnginesOptions;
import io.karmi.benchmarks.options.Subcommand;
import io.karmi.benchmarks.serialization.SerializationMain;
import io.karmi.benchmarks.startup.StartupCommand;
import io.karmi.cli.Command;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.commons.cli.CommandLine;

/** {@code karmi-bench}: picks the command. */
public final class KarmiBench {
  private static final String HELP =
      """
      usage: karmi-bench [rmi] [options]
             karmi-bench <command> [options]

      Measures RMI, messages and serialization on this machine, by KaRMI and by others. Results that
      differ are errors.

      Commands:
        rmi             kernels and applications of KaRMI's paper between JVMs, on stock RMI, RMI +
                        UKA, KaRMI + JDK serialization, KaRMI + UKA, each technology, peers (Dirmi,
                        gRPC) and a raw socket; with --quick in less than five minutes
        report          one page of files that rmi has written
        compare         two of those files: the ratios, with their confidence
        serialization   objects to bytes and back, beside the JDK's streams, Kryo and Fory
        startup         a server and its client with the agent, and with stubs, woven classes and class
                        caches
        engines         parts of Spark and Flink jobs on each serializer; from a clone of the
                        sources, by scripts/karmi-bench
        messaging       messages over each technology, beside calls and a socket
        heap            objects that were never sent before from one JVM to another, beside the JDK's
                        streams, Kryo and Fory: figures and tables of the Naos paper
        exchange        large values for several JVMs of a host, beside Kryo and UKA by a socket

      karmi-bench <command> --help lists the options of one; --version prints version, commit and
      JDK; --trace shows where a command failed.

      exit status: 0 done, 1 a run failed or a result was wrong, 2 wrong usage.
      """;

  private static final String TRACE = "--trace";

  /** So long JVMs that were started may take to remove their files. */
  private static final int CHILDREN_END_SECONDS = 3;

  private KarmiBench() {}

  /** A command that is interrupted or terminated leaves no JVM behind, and none of their files. */
  private static void endChildrenWithThisJvm() {
    Runtime.getRuntime().addShutdownHook(new Thread(KarmiBench::endChildren, "end of children"));
  }

  private static void endChildren() {
    List<ProcessHandle> children = ProcessHandle.current().descendants().toList();
    if (children.isEmpty()) {
      return;
    }
    System.err.close(); // that a child has ended is no error now
    children.forEach(ProcessHandle::destroy);
    CompletableFuture<?>[] ends =
        children.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(ends)
        .completeOnTimeout(null, CHILDREN_END_SECONDS, TimeUnit.SECONDS)
        .join();
    children.forEach(ProcessHandle::destroyForcibly);
  }

  public static void main(String[] args) throws Exception {
    endChildrenWithThisJvm();
    System.exit(run(args));
  }

  private static int run(String... args) throws Exception {
    List<String> words = new ArrayList<>(List.of(args));
    boolean isTraced = words.remove(TRACE);
    String name = words.isEmpty() ? "" : words.remove(0);
    if (isTraced) {
      words.add(TRACE);
    }
    String[] rest = words.toArray(new String[0]);
    return switch (name) {
      case "rmi" -> run(RmiCommand.COMMAND, rest);
      case "report" -> run(ReportCommand.REPORT, rest);
      case "compare" -> run(ReportCommand.COMPARE, rest);
      case "serialization" -> run(SerializationMain.COMMAND, rest);
      case "messaging" -> run(MessagesCommand.COMMAND, rest);
      case "heap" -> run(HeapCommand.COMMAND, rest);
      case "exchange" -> run(ExchangeCommand.COMMAND, rest);
      case "startup" -> run(StartupCommand.COMMAND, rest);
      case "engines" -> run(EnginesOptions.command(KarmiBench::engines), rest);
      case "help" -> other("--help", "--help");
      case "" -> {
        System.err.print(HELP);
        yield Command.MISUSED;
      }
      default -> other(name, args);
    };
  }

  private static int run(Subcommand command, String... arguments) {
    return command.run(arguments, System.out, System.err);
  }

  /** In the distribution there is only their help; a clone of the sources has the command. */
  private static int engines(CommandLine line, PrintStream out, PrintStream err)
      throws IOException {
    throw new IOException(
        "no engine is in this distribution: run scripts/karmi-bench engines in a clone of the"
            + " sources");
  }

  /** What begins with no command that there is: rmi's options, or help or version. */
  private static int other(String name, String... args) {
    boolean isOption = name.startsWith("-");
    if (isOption && !List.of("--help", "-h", "--version").contains(name)) {
      return run(RmiCommand.COMMAND, args);
    }
    /* What a wrong command is asked for, its help too, is not this one's. */
    return new Command("karmi-bench", HELP, System.out, System.err)
        .run(
            rest -> {
              throw new IllegalArgumentException("there is no command " + name);
            },
            isOption ? args : new String[] {name});
  }
}

package io.karmi.benchmarks;

import io.karmi.benchmarks.exchange.ExchangeCommand;
import io.karmi.benchmarks.messaging.MessagesCommand;
import io.karmi.benchmarks.serialization.SerializationMain;
import io.karmi.benchmarks.startup.StartupCommand;
import io.karmi.cli.Version;
import java.util.Arrays;

/** {@code karmi-bench}: picks the command. */
public final class KarmiBench {
  private static final String HELP =
      """
      usage: karmi-bench [rmi] [options]
             karmi-bench <command> [options]

      Commands:
        rmi             the paper's kernels and applications between JVMs, on stock RMI, RMI + UKA,
                        KaRMI + JDK serialization, KaRMI + UKA, each technology, peers and floors;
                        with --quick in less than five minutes
        report          one page of files that rmi has written
        compare         two of those files: the ratios, with their confidence
        serialization   objects to bytes and back, beside the JDK's streams, Kryo, Fory, FST,
                        JBoss River and protostuff
        startup         a program of 2,000 classes with the agent and without; a server and its
                        client with stubs, woven classes and class caches
        engines         parts of Spark and Flink jobs on each serializer; from a clone of the
                        sources, by scripts/karmi-bench
        messaging       messages over each technology, beside calls and a socket
        exchange        large values for several JVMs of a host, beside Kryo and UKA by a socket

      karmi-bench <command> --help lists the options of one; --version prints version, commit and
      JDK; --trace shows where a command failed.

      exit status: 0 done, 1 a run failed or a result was wrong, 2 wrong usage.
      """;

  private KarmiBench() {}

  /** A command that is interrupted or terminated leaves no JVM behind. */
  private static void endChildrenWithThisJvm() {
    Thread ending =
        new Thread(
            () -> ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly),
            "end of children");
    Runtime.getRuntime().addShutdownHook(ending);
  }

  public static void main(String[] args) throws Exception {
    String name = args.length == 0 ? "" : args[0];
    String[] rest = args.length == 0 ? args : Arrays.copyOfRange(args, 1, args.length);
    endChildrenWithThisJvm();
    if (name.equals("--version")) {
      System.out.println(Version.text());
      return;
    }
    if (name.startsWith("--") && !name.equals("--help")) {
      System.exit(RmiCommand.run(args));
    }
    switch (name) {
      case "rmi" -> System.exit(RmiCommand.run(rest));
      case "report" -> System.exit(ReportCommand.report(rest, System.out, System.err));
      case "compare" -> System.exit(ReportCommand.compare(rest, System.out, System.err));
      case "serialization" -> System.exit(SerializationMain.run(rest, System.out, System.err));
      case "messaging" -> System.exit(MessagesCommand.run(rest, System.out, System.err));
      case "exchange" -> System.exit(ExchangeCommand.run(rest, System.out, System.err));
      case "startup" -> System.exit(StartupCommand.run(rest, System.out, System.err));
      case "engines" -> {
        System.err.println(
            "karmi-bench: no engine is in this distribution; run scripts/karmi-bench engines in a"
                + " clone of the sources");
        System.exit(2);
      }
      case "--help", "-h", "help" -> System.out.print(HELP);
      case "" -> {
        System.err.print(HELP);
        System.exit(2);
      }
      default -> {
        System.err.println("karmi-bench: there is no command " + name + " (see --help)");
        System.exit(2);
      }
    }
  }
}

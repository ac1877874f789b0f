package io.karmi.benchmarks;

import io.karmi.benchmarks.serialization.SerializationMain;
import io.karmi.benchmarks.startup.StartupCommand;
import java.util.Arrays;

/** {@code karmi-bench}: picks the benchmark. */
public final class KarmiBench {
  private static final String HELP =
      """
      usage: karmi-bench <benchmark> [options]

      Benchmarks:
        rmi             the paper's kernels and Hamming's problem between two JVMs, on stock RMI,
                        RMI + UKA, KaRMI + JDK serialization and KaRMI + UKA
        serialization   objects to bytes and back, beside the JDK's streams, Kryo, Fory, FST,
                        JBoss River and protostuff
        startup         a program of 2,000 classes with the agent and without

      karmi-bench <benchmark> --help lists the options of one.

      exit status: 0 measured, 1 a run failed or a result was wrong, 2 wrong usage.
      """;

  private KarmiBench() {}

  public static void main(String[] args) throws Exception {
    String name = args.length == 0 ? "" : args[0];
    String[] rest = args.length == 0 ? args : Arrays.copyOfRange(args, 1, args.length);
    switch (name) {
      case "rmi" -> System.exit(RmiCommand.run(rest));
      case "serialization" -> System.exit(SerializationMain.run(rest, System.out, System.err));
      case "startup" -> System.exit(StartupCommand.run(rest, System.out, System.err));
      case "--help", "-h", "help" -> System.out.print(HELP);
      case "" -> {
        System.err.print(HELP);
        System.exit(2);
      }
      default -> {
        System.err.println("karmi-bench: there is no benchmark " + name + " (see --help)");
        System.exit(2);
      }
    }
  }
}

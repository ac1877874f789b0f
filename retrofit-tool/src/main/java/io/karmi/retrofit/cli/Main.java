package io.karmi.retrofit.cli;

import io.karmi.cli.Command;
import java.io.PrintStream;

/** {@code java -jar karmi.jar}: says what the jar is and how to use it; with {@code --version}. */
public final class Main {
  private static final String USAGE =
      """
      This is KaRMI: faster object streams and RMI for programs that stay as they are.

        java -javaagent:karmi.jar -jar app.jar        runs a program with it
        java -jar karmi.jar --version                 version, commit and JDK

      The commands beside it, in bin/, all have --help:

        karmi-java       runs java with KaRMI swapped in, by the agent or the boot path
        karmi-retrofit   rewrites a jar, or patches a JDK's boot path
        karmi-registry   the naming service; what is in force in a node, and how fast it answers
        karmi-exchange   the directory of an exchange space, by which JVMs share large objects
        karmic           stubs and skeletons ahead of time
        karmi-bench      benchmarks
      """;

  private Main() {}

  /** Ends the JVM with 2 for an argument that it does not know. */
  public static void main(String[] arguments) {
    int status = run(System.out, System.err, arguments);
    if (status != Command.DONE) {
      System.exit(status);
    }
  }

  static int run(PrintStream out, PrintStream err, String... arguments) {
    return new Command("karmi.jar", USAGE, out, err)
        .run(
            rest -> {
              if (rest.length > 0) {
                throw new IllegalArgumentException("unknown argument " + rest[0]);
              }
              out.print(USAGE);
              return Command.DONE;
            },
            arguments);
  }
}

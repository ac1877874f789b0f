package io.karmi.registry;

import io.karmi.cli.Command;
import io.karmi.cli.OneLine;
import io.karmi.id.TechnologyId;
import io.karmi.reference.Node;
import io.karmi.settings.Settings;
import java.io.IOException;
import java.io.PrintStream;
import java.net.BindException;
import java.rmi.registry.Registry;
import java.rmi.server.ExportException;
import java.util.Arrays;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.concurrent.CountDownLatch;

/**
 * {@code karmi-registry [port]}: a registry that runs until it is killed; with options, questions
 * to other nodes.
 *
 * <p>Exit status: 1 when it cannot listen or is not answered, 2 when the command line is wrong.
 */
public final class KarmiRegistry {
  private static final int MAXIMUM_PORT = 65535;

  /** A node that does not answer in that time, in milliseconds, is not healthy. */
  private static final int PATIENCE_MILLIS = 10_000;

  private static final String HELP =
      """
      usage: karmi-registry [port]
             karmi-registry --objects [port]
             karmi-registry --settings host:port
             karmi-registry --health host:port
             karmi-registry --ping host:port

      Runs KaRMI's naming service until it is killed. The port is 1099 if none is given, and any
      free one for 0; the line printed at the start names it.

      Only the local host may bind; -Dkarmi.registry.remoteWrites=true in JAVA_TOOL_OPTIONS lets
      every host. The interfaces of bound objects need not be on the class path.

      With --objects it asks the node that listens at the port of this host, a registry or any other
      program with KaRMI, for what it has counted and exported, and prints that.

      With --settings it prints the settings in force in a node of this host, and where each value
      came from.

      With --health it exits with 0 if the node answers and with 1 if it does not in ten seconds. With
      --ping it prints how long round trips to the node take by each technology that both have.
      Settings of KaRMI such as karmi.tls are taken from JAVA_TOOL_OPTIONS, or from variables such as
      KARMI_TLS. --version prints version, commit and JDK, --trace where a failure was.

      exit status: 0 done, 1 it cannot listen or is not answered, 2 wrong usage.
      """;

  private KarmiRegistry() {}

  /** The command. A registry goes on also where its output cannot be written. */
  public static void main(String[] args) throws InterruptedException {
    boolean[] serves = {false};
    int status = run(System.out, System.err, serves, args);
    if (!serves[0]) {
      System.exit(status);
    }
    new CountDownLatch(1).await();
  }

  /** Starts the registry, or says what is wrong, and returns the exit status. */
  static int run(PrintStream out, PrintStream err, boolean[] serves, String... args) {
    return new Command("karmi-registry", HELP, out, err).run(rest -> work(out, serves, rest), args);
  }

  private static int work(PrintStream out, boolean[] serves, String... args) throws IOException {
    String asked = args.length == 0 ? "" : args[0];
    String[] rest = Arrays.copyOfRange(args, Math.min(1, args.length), args.length);
    switch (asked) {
      case "--objects" -> printObjects(out, rest);
      case "--health" -> check(rest).health(out);
      case "--settings" -> check(rest).settings(out);
      case "--ping" -> {
        return check(rest).ping(out);
      }
      default -> {
        serve(out, args);
        serves[0] = true;
      }
    }
    return Command.DONE;
  }

  private static void serve(PrintStream out, String... args) throws IOException {
    int port = port(args);
    try {
      Registry registry = Registries.create(port);
      out.println("karmi-registry listens on " + addresses(registry));
    } catch (ExportException e) {
      throw e.getCause() instanceof BindException
          ? new IOException("cannot listen at port " + port + ": " + OneLine.of(e.getCause()), e)
          : e;
    }
  }

  private static String addresses(Registry registry) {
    Node node = Node.current();
    StringJoiner addresses = new StringJoiner(", ");
    for (TechnologyId address : node.addresses(Objects.requireNonNull(node.exported(registry)))) {
      addresses.add(address.toString());
    }
    return addresses.toString();
  }

  private static NodeCheck check(String... words) {
    NodeCheck check = NodeCheck.of(words);
    Settings.waitAtMost(PATIENCE_MILLIS);
    return check;
  }

  private static void printObjects(PrintStream out, String... args) throws IOException {
    int port = port(args);
    Settings.waitAtMost(PATIENCE_MILLIS);
    try {
      for (String line : Node.current().inspect("localhost", port)) {
        out.println(OneLine.printable(line)); // whatever listens there may have said it
      }
    } catch (IOException e) {
      throw new IOException(
          "the node at localhost:" + port + " does not answer: " + OneLine.of(e), e);
    }
  }

  private static int port(String... args) {
    if (args.length == 0) {
      return Registry.REGISTRY_PORT;
    }
    int port = args.length == 1 && args[0].matches("\\d{1,5}") ? Integer.parseInt(args[0]) : -1;
    if (port < 0 || port > MAXIMUM_PORT) {
      String problem = args[0].startsWith("-") ? "unknown option: " : "not a port: ";
      throw new IllegalArgumentException(problem + String.join(" ", args));
    }
    return port;
  }
}

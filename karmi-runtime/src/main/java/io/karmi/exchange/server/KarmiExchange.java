package io.karmi.exchange.server;

import io.karmi.cli.Command;
import io.karmi.cli.OneLine;
import io.karmi.exchange.remote.MetadataServer;
import io.karmi.guard.PeerLog;
import io.karmi.rmi.Naming;
import io.karmi.settings.Settings;
import java.io.IOException;
import java.io.PrintStream;
import java.net.BindException;
import java.rmi.NotBoundException;
import java.rmi.RemoteException;
import java.rmi.server.ExportException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** {@code karmi-exchange}: the server of an exchange space, and questions to one. */
public final class KarmiExchange {
  private static final int DEFAULT_PORT = 1098;
  private static final int MAXIMUM_PORT = 65_535;
  private static final int MAXIMUM_LINES = 10_000;

  /**
   * A server that does not answer in that time, in milliseconds, is given up; after a restart it
   * waits for ten seconds itself.
   */
  private static final int PATIENCE_MILLIS = 20_000;

  /** Lease of members, in milliseconds: one that is cut off is taken for dead after so long. */
  private static final String LEASE_MILLIS = "60000";

  private static final String HELP =
      """
      usage: karmi-exchange [port]
             karmi-exchange list [host:port]
             karmi-exchange show key|address [host:port]
             karmi-exchange drop key|address [host:port]
             karmi-exchange stats [host:port]

      Runs the server of an exchange space until it is killed; the port is 1098 if none is given,
      and 0 stands for any, which is printed.
      Programs join it by ExchangeSpace.join("//host:port/exchange"). It keeps all in memory: after a
      restart at the same port members report again.

      list    keys with their groups, and stored groups
      show    one of them: how many hold it, and on how many hosts it is
      drop    unbinds a key, or ends a stored group; on the server's host only
      stats   members, hosts, keys, groups, bytes and calls

      These ask localhost:1098 if no other is named. Settings of KaRMI such as karmi.tls are taken
      from JAVA_TOOL_OPTIONS, or from variables such as KARMI_TLS. --version prints version, commit
      and JDK; --trace a stack trace behind an error.

      exit status: 0 done, 1 it cannot listen, is not answered or there is no such group, 2 wrong usage.
      """;

  private KarmiExchange() {}

  /** The command. A server goes on also where its output cannot be written. */
  public static void main(String... arguments) throws InterruptedException {
    boolean[] serves = {false};
    int status = run(System.out, System.err, serves, arguments);
    if (!serves[0]) {
      System.exit(status);
    }
    new CountDownLatch(1).await();
  }

  static int run(PrintStream out, PrintStream err, boolean[] serves, String... arguments) {
    return new Command("karmi-exchange", HELP, out, err)
        .run(words -> work(out, serves, List.of(words)), arguments);
  }

  private static int work(PrintStream out, boolean[] serves, List<String> words) throws Exception {
    String first = words.isEmpty() ? "" : words.get(0);
    switch (first) {
      case "list":
        check(words, 1);
        print(out, server(words, 1).list(MAXIMUM_LINES));
        return Command.DONE;
      case "stats":
        check(words, 1);
        for (Map.Entry<String, Long> each : server(words, 1).stats().entrySet()) {
          out.println(PeerLog.printable(each.getKey() + ": " + each.getValue()));
        }
        return Command.DONE;
      case "show":
        check(words, 2);
        show(out, words.get(1), server(words, 2).list(MAXIMUM_LINES));
        return Command.DONE;
      case "drop":
        check(words, 2);
        found(server(words, 2).drop(words.get(1)), words.get(1));
        return Command.DONE;
      default:
        serve(out, words);
        serves[0] = true;
        return Command.DONE;
    }
  }

  private static void check(List<String> words, int least) {
    if (words.size() < least || words.size() > least + 1) {
      throw new IllegalArgumentException(
          words.get(0)
              + (least > 1
                  ? " takes a key or an address, and host:port"
                  : " takes host:port alone"));
    }
  }

  private static MetadataServer server(List<String> words, int at) throws Exception {
    String host = words.size() > at ? words.get(at) : "localhost:" + DEFAULT_PORT;
    if (!host.matches("[^/]+:\\d+")) {
      throw new IllegalArgumentException("not host:port: " + host);
    }
    Settings.waitAtMost(PATIENCE_MILLIS);
    try {
      return (MetadataServer) Naming.lookup("//" + host + '/' + ExchangeServer.NAME);
    } catch (RemoteException | NotBoundException e) {
      throw new IOException(
          "no server of an exchange space answers at " + host + ": " + OneLine.of(e), e);
    }
  }

  private static void print(PrintStream out, String... lines) {
    for (String each : lines) {
      out.println(PeerLog.printable(each));
    }
  }

  private static void show(PrintStream out, String wanted, String... lines) throws IOException {
    boolean found = false;
    for (String each : lines) {
      if (each.startsWith(wanted + "  ") || each.contains("  " + wanted + "  ")) {
        out.println(PeerLog.printable(each));
        found = true;
      }
    }
    found(found, wanted);
  }

  private static void found(boolean found, String wanted) throws IOException {
    if (!found) {
      throw new IOException("no key and no stored group " + wanted);
    }
  }

  private static void serve(PrintStream out, List<String> words) throws Exception {
    int port = words.isEmpty() ? DEFAULT_PORT : port(words);
    Settings.LEASE.setUnlessGiven(LEASE_MILLIS);
    try {
      port = ExchangeServer.start(port).port();
    } catch (ExportException e) {
      throw e.getCause() instanceof BindException
          ? new IOException("cannot listen at port " + port + ": " + OneLine.of(e.getCause()), e)
          : e;
    }
    out.println("karmi-exchange listens on port " + port);
  }

  private static int port(List<String> words) {
    String text = words.get(0);
    int port = text.matches("\\d{1,5}") ? Integer.parseInt(text) : -1;
    if (words.size() > 1 || port < 0 || port > MAXIMUM_PORT) {
      String problem = text.startsWith("-") ? "unknown option: " : "not a port: ";
      throw new IllegalArgumentException(problem + String.join(" ", words));
    }
    return port;
  }
}

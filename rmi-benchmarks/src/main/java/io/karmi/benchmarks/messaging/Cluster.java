package io.karmi.benchmarks.messaging;

import io.karmi.benchmarks.measure.CommandedJvm;
import io.karmi.benchmarks.measure.CommandedJvm.Answer;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What the figures 18 to 21 of the DXNet paper show: nodes that all send to all others and ask
 * them, and a store that the others use. Each node is a JVM on a host of its own ({@link
 * Namespaces}), or all are on the loopback device. Used by one thread.
 */
final class Cluster implements AutoCloseable {
  private static final String HEADER =
      String.format(
          "%-6s %-26s %12s %12s %12s %12s", "nodes", "", "a second", "cpu us", "p50 us", "p99 us");

  /** How many rounds each part of the warm-up takes: all JVMs share the compilers' processors. */
  private static final int WARM_UP_ROUNDS = 20;

  private final @Nullable Namespaces hosts;
  private final List<CommandedJvm> nodes = new ArrayList<>();
  private final List<String> sockets = new ArrayList<>();

  /** Starts nodes that know each other. */
  private Cluster(int count, String rate, boolean apart) throws IOException {
    hosts = apart ? new Namespaces(count, rate) : null;
    try {
      List<String> registries = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        String host = host(i);
        nodes.add(
            CommandedJvm.startBy(
                hosts == null ? List.of() : hosts.on(i),
                ClusterNode.class,
                List.of("-Djava.rmi.server.hostname=" + host, "-Dkarmi.technologies=tcp"),
                Integer.toString(i),
                host));
        String[] ports = nodes.get(i).ask("serve").text().split(" ");
        registries.add(host + ':' + ports[0]);
        sockets.add(ports[1]);
      }
      for (CommandedJvm each : nodes) {
        List<String> others = new ArrayList<>(registries);
        others.remove(nodes.indexOf(each));
        each.ask("join " + String.join(",", others));
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private String host(int node) {
    return hosts == null ? Calls.LOOPBACK : Namespaces.address(node);
  }

  /**
   * Measures clusters of these sizes.
   *
   * @param rate with which each host sends, in tc's words; empty for what the machine does
   * @param apart whether each node has a host of its own
   */
  static void measure(
      int[] sizes, String rate, boolean apart, int rounds, int millis, PrintStream out)
      throws IOException {
    out.println(HEADER);
    for (int size : sizes) {
      try (Cluster cluster = new Cluster(size, rate, apart)) {
        for (String warmUp : List.of("ask 16 ", "send 64 ", "ask 1 ")) {
          tellAll(cluster.nodes, warmUp + WARM_UP_ROUNDS * millis);
        }
        List<CommandedJvm> first = cluster.nodes.subList(0, 1);
        List<CommandedJvm> clients = cluster.nodes.subList(1, size);
        String ping = "ping " + cluster.sockets.get(1) + ' ';
        tellAll(first, ping + WARM_UP_ROUNDS * millis);
        cluster.row("64 B to all", rounds, cluster.nodes, "send 64 " + millis, out);
        cluster.row("4 KB to all", rounds, cluster.nodes, "send 4096 " + millis, out);
        cluster.row("plain socket, one pair", rounds, first, ping + millis, out);
        for (int threads : new int[] {1, 16, 100}) {
          String title = ", " + threads + (threads == 1 ? " thread" : " threads");
          cluster.row("asks all" + title, rounds, cluster.nodes, ask("ask", threads, millis), out);
          cluster.row("store" + title, rounds, clients, ask("use", threads, millis), out);
        }
      }
    }
  }

  private static String ask(String verb, int threads, int millis) {
    return verb + ' ' + threads + ' ' + millis;
  }

  private static List<Answer> tellAll(List<CommandedJvm> who, String command) throws IOException {
    for (CommandedJvm each : who) {
      each.tell(command);
    }
    List<Answer> answers = new ArrayList<>();
    for (CommandedJvm each : who) {
      answers.add(each.answer());
    }
    return answers;
  }

  /** Has some nodes execute a command at once, and prints medians of the rounds. */
  private void row(
      String title, int rounds, List<CommandedJvm> who, String command, PrintStream out)
      throws IOException {
    double[][] columns = new double[4][rounds];
    for (int round = 0; round < rounds; round++) {
      long cpu = -cpuNanos();
      long start = System.nanoTime();
      List<Answer> answers = tellAll(who, command);
      double seconds = (double) (System.nanoTime() - start) / TimeUnit.SECONDS.toNanos(1);
      cpu += cpuNanos();
      double count = sum(answers, 0);
      columns[0][round] = count / seconds;
      columns[1][round] = cpu / count / 1000;
      columns[2][round] = sum(answers, 1) / answers.size() / 1000;
      columns[3][round] = sum(answers, 2) / answers.size() / 1000;
    }
    out.printf("%-6d %-26s", nodes.size(), title);
    for (double[] each : columns) {
      Arrays.sort(each);
      double median = each[rounds / 2];
      out.print(median == 0 ? "" : number(median));
    }
    out.println();
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value >= 1000 ? " %,12.0f" : " %12.2f", value);
  }

  private long cpuNanos() {
    return nodes.stream().mapToLong(CommandedJvm::cpuNanos).sum();
  }

  /** Sum of the words at a place; 0 where the answers have none. */
  private static double sum(List<Answer> answers, int place) {
    return answers.stream()
        .map(answer -> answer.text().split(" "))
        .mapToDouble(words -> words.length > place ? Double.parseDouble(words[place]) : 0)
        .sum();
  }

  /** The sizes that an option names. */
  static int[] sizes(String words) {
    int[] sizes = Arrays.stream(words.split(",")).mapToInt(Integer::parseInt).toArray();
    if (IntStream.of(sizes).anyMatch(each -> each < 2 || each > Namespaces.MAXIMUM)) {
      throw new NumberFormatException("2 to " + Namespaces.MAXIMUM + " nodes, not " + words);
    }
    return sizes;
  }

  @Override
  public void close() throws IOException {
    try {
      CommandedJvm.closeAll(nodes);
    } finally {
      if (hosts != null) {
        hosts.close();
      }
    }
  }
}

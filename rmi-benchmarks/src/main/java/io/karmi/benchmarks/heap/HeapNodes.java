package io.karmi.benchmarks.heap;

import io.karmi.benchmarks.measure.CommandedJvm;
import io.karmi.benchmarks.measure.Measurement;
import io.karmi.benchmarks.measure.Percentiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Three JVMs on one technology, and the ways between them. Used by one thread. */
final class HeapNodes implements AutoCloseable {
  /** Begins the name of the way of remote calls; a technology follows. */
  static final String CALLS = "calls-";

  /** Begins the name of the way of channels over messaging; a technology follows. */
  static final String MESSAGES = "messages-";

  private static final int NODES = 3;
  private static final double NONE = Measurement.UNCOUNTED;

  private final List<CommandedJvm> nodes = new ArrayList<>();
  private final List<String> ports = new ArrayList<>();

  HeapNodes(String technology) throws IOException {
    String technologies = technology.equals("tcp") ? "tcp" : "tcp," + technology;
    for (int i = 0; i < NODES; i++) {
      nodes.add(CommandedJvm.start(HeapNode.class, "-Dkarmi.technologies=" + technologies));
    }
    for (CommandedJvm node : nodes) {
      ports.add(node.ask("serve").text());
    }
  }

  /** Whether a way is one between nodes of KaRMI. */
  static boolean isOfKarmi(String way) {
    return way.startsWith(MESSAGES) || way.startsWith(CALLS);
  }

  /** Connects each node with each later one. */
  void connect(String way) throws IOException {
    for (int to = 1; to < NODES; to++) {
      for (int from = 0; from < to; from++) {
        nodes.get(to).tell("await " + way + ' ' + from);
        nodes.get(from).ask("connect " + way + ' ' + to + ' ' + ports.get(to));
        nodes.get(to).answer();
      }
    }
  }

  /**
   * Sends graphs that were never sent before.
   *
   * @param mode {@code each} waits for each graph, {@code all} for the last one; {@code parts}
   *     counts the processor time of the threads that send and receive: these are measurements of
   *     their own
   * @param units how many of them a cost is of
   */
  List<Measurement> send(
      String title, String way, String mode, String kind, int size, int count, int units)
      throws IOException {
    nodes.get(1).tell("receive %s 0 %s %d".formatted(way, mode, count));
    String command = "send %s 1 %s %s %d %d %d".formatted(way, mode, kind, size, count, units);
    CommandedJvm.Answer sent = nodes.get(0).ask(command);
    CommandedJvm.Answer received = nodes.get(1).answer();
    double[] of = numbers(sent.text());
    String[] there = received.text().split(" ");
    double bytes = of[4] < 0 ? NONE : of[4] / units;
    if (!mode.equals("parts")) {
      double cpu = (double) (sent.nanos() + received.nanos()) / units;
      return List.of(measurement(title, times(of), cpu, bytes, there[0]));
    }
    return List.of(
        part(title + " write", of[5] / count, bytes, there[0]),
        part(title + " send", of[6] / count, bytes, there[0]),
        part(title + " receive", Double.parseDouble(there[2]) / count, bytes, there[0]),
        part(title + " read", Double.parseDouble(there[1]) / count, bytes, there[0]));
  }

  private static Measurement part(String title, double nanos, double bytes, String observation) {
    return measurement(title, Percentiles.all(nanos), nanos, bytes, observation);
  }

  private static Measurement measurement(
      String title, Percentiles times, double cpu, double bytes, String observation) {
    return new Measurement(title, times, NONE, cpu, bytes, bytes < 0 ? NONE : 0, observation);
  }

  /** The times in front of an answer. */
  private static Percentiles times(double... numbers) {
    return new Percentiles(numbers[0], numbers[1], numbers[2], numbers[3]);
  }

  /**
   * Has requests answered.
   *
   * @param what {@code echo} with a length, or {@code ycsb} with the number of entries
   * @param readPercent how many of a hundred requests read
   */
  List<Measurement> ask(String title, String way, String what, int size, int count, int readPercent)
      throws IOException {
    if (what.equals("ycsb")) {
      nodes.get(1).ask("entries " + size);
    }
    long before = used();
    boolean answers = !way.startsWith(CALLS);
    if (answers) {
      nodes.get(1).tell("answer %s 0 %d".formatted(way, count));
    }
    CommandedJvm.Answer asked =
        nodes.get(0).ask("%s %s 1 %d %d %d".formatted(what, way, size, count, readPercent));
    if (answers) {
      nodes.get(1).answer();
    }
    double cpu = (double) (asked.nanos() + used() - before) / count;
    double[] of = numbers(asked.text());
    return List.of(measurement(title, times(of), cpu, NONE, String.valueOf(of[4])));
  }

  /** Processor time that the node that answers has used so far. */
  private long used() {
    return nodes.get(1).cpuNanos();
  }

  /** Ranks pages by the first nodes; a time is of one iteration, as the first node sees it. */
  List<Measurement> rank(
      String title, String way, int workers, int edges, int iterations, String form)
      throws IOException {
    for (int i = 0; i < workers; i++) {
      nodes.get(i).ask("graph %d %d %d".formatted(edges, workers, i));
    }
    for (int i = 0; i < workers; i++) {
      nodes.get(i).tell("rank %s %d %s %d".formatted(way, iterations, form, workers));
    }
    double cpu = 0;
    List<double[]> answers = new ArrayList<>();
    for (int i = 0; i < workers; i++) {
      CommandedJvm.Answer ranked = nodes.get(i).answer();
      cpu += (double) ranked.nanos() / iterations;
      answers.add(numbers(ranked.text()));
    }
    String sums = answers.stream().map(answer -> answer[4]).toList().toString();
    return List.of(measurement(title, times(answers.get(0)), cpu, NONE, sums));
  }

  private static double[] numbers(String words) {
    return Arrays.stream(words.split(" ")).mapToDouble(Double::parseDouble).toArray();
  }

  @Override
  public void close() throws IOException {
    CommandedJvm.closeAll(nodes);
  }
}

package io.karmi.benchmarks.serialization;

import io.karmi.benchmarks.measure.Child;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * {@code karmi-bench serialization --in-turn}: the JDK's format beside {@code java.io}, by {@link
 * InTurn} in a JVM for each delivery, and for each payload where call sites are to see one.
 */
final class Streams {
  /** Deliveries of the library. */
  static final List<String> DELIVERIES = List.of("library", "agent");

  /** What is measured if no payload is named. */
  static final String PAYLOADS = "INTS_32,TREE_15,POINTS_1024,MEDIA,MAP_1000,STRINGS_100,RECORD";

  /** Longest time from the last line of a JVM to its end. */
  private static final long END_SECONDS = 60;

  private final int slices;
  private final int millis;
  private final PrintStream out;

  Streams(int slices, int millis, PrintStream out) {
    this.slices = slices;
    this.millis = millis;
    this.out = out;
  }

  /**
   * Measures, and prints a table for each delivery.
   *
   * @param together whether one JVM carries all payloads
   */
  void measure(String[] deliveries, String[] payloads, boolean together)
      throws IOException, InterruptedException {
    for (String delivery : deliveries) {
      out.printf(
          Locale.ROOT,
          "java.io's time / UKA's, the JDK's format, a stream per message, %s, JDK %s%n%n",
          delivery,
          System.getProperty("java.version"));
      out.printf("%-14s %7s %7s %27s %27s%n", "", "write", "read", "ns, written", "ns, read");
      double[] logarithms = new double[2];
      for (List<String> group : together ? List.of(List.of(payloads)) : each(payloads)) {
        for (String line : run(delivery, group)) {
          String[] cells = line.split(" ");
          logarithms[0] += Math.log(Double.parseDouble(cells[1]));
          logarithms[1] += Math.log(Double.parseDouble(cells[2]));
          out.printf(
              "%-14s %7s %7s %12s -> %11s %12s -> %11s%n",
              cells[0], cells[1], cells[2], cells[3], cells[4], cells[5], cells[6]);
        }
      }
      out.printf(
          Locale.ROOT,
          "%-14s %7.3f %7.3f%n%n",
          "geometric mean",
          Math.exp(logarithms[0] / payloads.length),
          Math.exp(logarithms[1] / payloads.length));
    }
  }

  private static List<List<String>> each(String[] payloads) {
    return Stream.of(payloads).map(payload -> List.of(payload)).toList();
  }

  private List<String> run(String delivery, List<String> payloads)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>();
    if (delivery.equals("agent")) {
      arguments.add("-javaagent:" + Child.karmiJar() + "=exclude=io.karmi.benchmarks.*");
    }
    arguments.addAll(List.of("-cp", System.getProperty("java.class.path"), InTurn.class.getName()));
    arguments.addAll(List.of(Integer.toString(slices), Integer.toString(millis)));
    arguments.addAll(payloads);
    try (Child child = Child.start(arguments)) {
      return child.end("the JVM of " + payloads, END_SECONDS).lines().toList();
    }
  }
}

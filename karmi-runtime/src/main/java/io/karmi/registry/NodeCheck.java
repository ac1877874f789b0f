package io.karmi.registry;

import io.karmi.cli.OneLine;
import io.karmi.id.TechnologyId;
import io.karmi.reference.Node;
import io.karmi.reference.Probe;
import io.karmi.technology.Technology;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * {@code karmi-registry --health} and {@code --ping}: checks whether a node answers, and how fast
 * by each technology.
 */
final class NodeCheck {
  private static final int MAXIMUM_PORT = 65535;

  private static final int WARM_UP_CALLS = 2000;
  private static final int MEASURED_CALLS = 5000;

  /** Even where each call takes long, one technology is measured for no longer. */
  private static final long MAXIMUM_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final double NANOS_PER_MICRO = 1000;

  /** Begins the cause in the message of a remote exception, which has it on a line of its own. */
  private static final String NESTED = "; nested exception is:";

  private static final int MAXIMUM_REASONS = 5;

  /** A technology's line of the table if the node is reached by it, else why it is not. */
  private record Row(boolean reached, String text) {}

  private final String host;
  private final int port;

  private NodeCheck(String host, int port) {
    this.host = host;
    this.port = port;
  }

  /**
   * What to check.
   *
   * @throws IllegalArgumentException if that is no {@code host:port}
   */
  static NodeCheck of(String... words) {
    NodeCheck check = words.length == 1 ? parse(words[0]) : null;
    if (check == null) {
      throw new IllegalArgumentException(
          words.length == 0 ? "host:port is missing" : "not host:port: " + String.join(" ", words));
    }
    return check;
  }

  private static @Nullable NodeCheck parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon < 1) {
      return null;
    }
    String host = text.substring(0, colon);
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    if (host.indexOf(':') >= 0 && !bracketed) {
      return null;
    }
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      String name = bracketed ? host.substring(1, host.length() - 1) : host;
      return port > 0 && port <= MAXIMUM_PORT ? new NodeCheck(name, port) : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** Says that the node answers, or throws. */
  void health(PrintStream out) throws IOException {
    try {
      Probe probe = new Probe(Node.current());
      probe.ping(probe.locate(host, port));
      out.println("karmi-registry: the node at " + this + " answers");
    } catch (IOException | RuntimeException e) {
      throw new IOException("the node at " + this + " does not answer: " + reason(e), e);
    }
  }

  /** Prints the settings of the node, which must be of this host. */
  void settings(PrintStream out) throws IOException {
    try {
      for (String line : Node.current().inspectSettings(host, port)) {
        out.println(OneLine.printable(line));
      }
    } catch (IOException | RuntimeException e) {
      throw new IOException("no settings of the node at " + this + ": " + reason(e), e);
    }
  }

  /** Prints how long round trips take by each technology; returns the exit status. */
  int ping(PrintStream out) throws IOException {
    try {
      Probe probe = new Probe(Node.current());
      List<TechnologyId> ways = probe.ways(probe.locate(host, port));
      out.printf("%-10s %10s %10s %10s  %s%n", "technology", "p50 us", "p99 us", "max us", "");
      String used = null;
      for (Technology each : Node.current().technologies()) {
        TechnologyId way = find(ways, each.name());
        Row row = row(probe, each, way);
        if (row.reached) {
          used = used == null ? each.name() : used;
          out.printf("%s  %s%n", row.text, each.name().equals(used) ? "calls go this way" : "");
        } else {
          out.printf("%-10s not reached: %s%n", each.name(), OneLine.printable(row.text));
        }
        ways.remove(way);
      }
      Map<String, String> missing = new TreeMap<>(Node.current().missing());
      for (TechnologyId other : ways) {
        String reason = missing.remove(other.technology());
        out.printf(
            "%-10s not reached: this node does not have it%s%n",
            OneLine.printable(other.technology()), reason == null ? "" : ": " + reason);
      }
      missing.forEach((name, why) -> out.printf("%-10s not used here: %s%n", name, why));
      return used == null ? 1 : 0;
    } catch (IOException | RuntimeException e) {
      throw new IOException("the node at " + this + " does not answer: " + reason(e), e);
    }
  }

  private static @Nullable TechnologyId find(List<TechnologyId> ways, String technology) {
    for (TechnologyId each : ways) {
      if (each.technology().equals(technology)) {
        return each;
      }
    }
    return null;
  }

  private static Row row(Probe probe, Technology technology, @Nullable TechnologyId way) {
    if (way == null) {
      return new Row(false, "the other node does not offer it here");
    }
    if (!technology.reaches(way)) {
      return new Row(false, way.address() + " is not seen");
    }
    try {
      return new Row(true, measure(probe, technology, way));
    } catch (IOException e) {
      return new Row(false, way.address() + ": " + reason(e));
    }
  }

  private static String measure(Probe probe, Technology technology, TechnologyId way)
      throws IOException {
    time(probe, way, WARM_UP_CALLS);
    long[] nanos = time(probe, way, MEASURED_CALLS);
    return String.format(
        Locale.ROOT,
        "%-10s %10.1f %10.1f %10.1f",
        technology.name(),
        nanos[nanos.length / 2] / NANOS_PER_MICRO,
        nanos[(int) (nanos.length * 99L / 100)] / NANOS_PER_MICRO,
        nanos[nanos.length - 1] / NANOS_PER_MICRO);
  }

  /** How long round trips took, the shortest first. */
  private static long[] time(Probe probe, TechnologyId way, int most) throws IOException {
    long[] nanos = new long[most];
    long end = System.nanoTime() + MAXIMUM_NANOS;
    int count = 0;
    for (long begin = System.nanoTime(); count < most && begin - end < 0; count++) {
      probe.ping(way);
      long now = System.nanoTime();
      nanos[count] = now - begin;
      begin = now;
    }
    long[] measured = Arrays.copyOf(nanos, Math.max(1, count));
    Arrays.sort(measured);
    return measured;
  }

  /** The messages of an exception and its causes in one line. */
  private static String reason(Exception problem) {
    List<String> reasons = new ArrayList<>();
    for (Throwable each = problem;
        each != null && reasons.size() < MAXIMUM_REASONS;
        each = each.getCause()) {
      String message = each.getMessage() == null ? each.toString() : each.getMessage();
      int nested = each.getCause() == null ? -1 : message.indexOf(NESTED);
      reasons.add(nested < 0 ? message : message.substring(0, nested));
    }
    return OneLine.once(String.join(": ", reasons));
  }

  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}

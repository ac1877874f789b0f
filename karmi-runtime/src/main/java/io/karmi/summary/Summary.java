package io.karmi.summary;

import io.karmi.reference.Node;
import io.karmi.technology.PeerCalls;
import io.karmi.uka.format.StreamTally;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Summary of what KaRMI and stock RMI did in this JVM, on one screen of standard error when it
 * ends.
 */
public final class Summary {
  /** Width of a terminal, in characters. */
  private static final int WIDTH = 79;

  /** Rows of calls, the largest first; the rest are added up in one more. */
  private static final int MAXIMUM_PEERS = 7;

  /** The first ones are the JDK's own: one of them runs all those of the program. */
  private static final int LAST_OF_THE_JDKS_HOOKS = 9;

  /** Classes that are named of those that were exported on stock RMI. */
  private static final int MAXIMUM_EXPORTS = 2;

  /** The network of calls by stock RMI. */
  private static final String STOCK = "stock";

  /** Made and served calls of one host over one network. */
  private record Calls(String peer, String network, String why, long made, long served) {
    long all() {
      return made + served;
    }
  }

  private final List<String> lines = new ArrayList<>();
  private final List<String> next = new ArrayList<>();

  private Summary() {}

  /** Counts from now on, and prints when the JVM ends. Called by the agent, by name. */
  public static void begin() {
    StreamTally.begin();
    StockTally.begin();
    PrintStream err = System.err;
    Runnable print = () -> new Summary().print(err);
    if (!runsLast(print)) {
      Runtime.getRuntime().addShutdownHook(new Thread(print, "KaRMI Summary"));
    }
  }

  /**
   * Has it run behind the program's own hooks, whose calls and streams count: among them it would
   * run at the same time. False if the JDK has no such place for it.
   */
  private static boolean runsLast(Runnable end) {
    try {
      Method add =
          Class.forName("java.lang.Shutdown")
              .getDeclaredMethod("add", int.class, boolean.class, Runnable.class);
      add.setAccessible(true);
      add.invoke(null, LAST_OF_THE_JDKS_HOOKS, false, end);
      return true;
    } catch (ReflectiveOperationException | RuntimeException e) {
      return false;
    }
  }

  private void print(PrintStream err) {
    Node node = Node.currentIfOpen();
    addCalls(node);
    addExports();
    addStreams();
    addRefusals(node == null ? Map.of() : node.counters());
    StringBuilder text = new StringBuilder("KaRMI's summary\n");
    if (lines.isEmpty()) {
      lines.add("  no call between JVMs, and no object stream of the program's own");
    }
    for (String each : lines) {
      text.append(shortened(each)).append('\n');
    }
    if (!next.isEmpty()) {
      text.append("  what a next step would gain\n");
      next.forEach(each -> text.append("    ").append(each).append('\n'));
    }
    err.print(text);
    err.flush();
  }

  private static String shortened(String line) {
    return line.length() <= WIDTH ? line : line.substring(0, WIDTH - 3) + "...";
  }

  private void addCalls(@Nullable Node node) {
    List<Calls> all = new ArrayList<>();
    Set<String> withKarmi = new HashSet<>();
    if (node != null) {
      for (Map.Entry<String, Collection<PeerCalls>> each : node.callsByPeer().entrySet()) {
        for (PeerCalls calls : each.getValue()) {
          all.add(new Calls(calls.peer(), each.getKey(), "", calls.made(), calls.served()));
          if (calls.made() > 0) {
            withKarmi.add(calls.peer());
          }
        }
      }
    }
    all.addAll(stockCalls(withKarmi));
    all.removeIf(each -> each.all() == 0);
    if (all.isEmpty()) {
      return;
    }
    all.sort(Comparator.comparingLong(Calls::all).reversed());
    lines.add(row("calls", "", "made", "served", ""));
    long made = 0;
    long served = 0;
    for (int i = 0; i < all.size(); i++) {
      Calls each = all.get(i);
      if (i < MAXIMUM_PEERS || all.size() == MAXIMUM_PEERS + 1) {
        lines.add(
            row("  " + each.peer, each.network, count(each.made), count(each.served), each.why));
      } else {
        made += each.made;
        served += each.served;
      }
    }
    if (made + served > 0) {
      lines.add(row("  others", "", count(made), count(served), ""));
    }
    advise(all);
  }

  /**
   * Calls by stock RMI.
   *
   * @param withKarmi hosts where objects on KaRMI were called, too
   */
  private static List<Calls> stockCalls(Set<String> withKarmi) {
    Map<String, Calls> rows = new HashMap<>();
    StockTally.calls()
        .forEach(
            (row, counted) -> {
              long count = counted.sum();
              boolean unclear =
                  !row.served()
                      && row.reason().equals(StockTally.OTHER_END)
                      && withKarmi.contains(row.peer());
              String reason = unclear ? StockTally.UNCLEAR : row.reason();
              Calls calls =
                  new Calls(
                      row.peer(),
                      STOCK,
                      reason,
                      row.served() ? 0 : count,
                      row.served() ? count : 0);
              rows.merge(
                  row.peer() + '\n' + reason,
                  calls,
                  (one, other) ->
                      new Calls(
                          one.peer,
                          one.network,
                          one.why,
                          one.made + other.made,
                          one.served + other.served));
            });
    return new ArrayList<>(rows.values());
  }

  private void advise(List<Calls> all) {
    long withoutKarmi = 0;
    long unclear = 0;
    long factories = 0;
    long near = 0;
    boolean onlyTcp = true;
    for (Calls each : all) {
      withoutKarmi += each.why.equals(StockTally.OTHER_END) ? each.all() : 0;
      unclear += each.why.equals(StockTally.UNCLEAR) ? each.all() : 0;
      factories += each.why.equals(StockTally.FACTORIES) ? each.all() : 0;
      near += each.network.equals("tcp") && isOfThisHost(each.peer) ? each.all() : 0;
      /* Calls of a registry take TCP, and are not counted apart. */
      onlyTcp &= each.network.equals("tcp") || each.network.equals(STOCK);
    }
    if (withoutKarmi > 0) {
      next.add("the agent at the other end: KaRMI for " + calls(withoutKarmi));
    }
    if (unclear > 0) {
      next.add("the agent at the other end, if it has none: KaRMI for " + calls(unclear));
    }
    if (factories > 0) {
      next.add("exports without factories (karmi.tls for TLS): KaRMI for " + calls(factories));
    }
    if (near > 0 && onlyTcp) {
      next.add("shared memory for " + calls(near) + ", if not a registry's: karmi-registry --ping");
    }
  }

  private static boolean isOfThisHost(String peer) {
    return peer.equals("localhost") || peer.startsWith("127.") || peer.equals("::1");
  }

  private void addExports() {
    List<StockTally.Export> exports = new ArrayList<>(StockTally.exports());
    exports.sort(
        Comparator.comparing(StockTally.Export::className)
            .thenComparing(StockTally.Export::reason));
    if (exports.isEmpty()) {
      return;
    }
    lines.add("  exports that stayed on stock RMI");
    int shown = 0;
    for (StockTally.Export each : exports) {
      if (shown++ < MAXIMUM_EXPORTS) {
        String name = each.className();
        int room = WIDTH - 6 - each.reason().length();
        lines.add(
            "    "
                + (name.length() <= room ? name : "..." + name.substring(name.length() - room + 3))
                + ": "
                + each.reason());
      }
    }
    if (shown > MAXIMUM_EXPORTS) {
      lines.add("    and " + (shown - MAXIMUM_EXPORTS) + " more classes");
    }
  }

  private void addStreams() {
    long jdk = StreamTally.writtenStreams(true);
    long all = jdk + StreamTally.readStreams(true);
    long uka = StreamTally.writtenStreams(false) + StreamTally.readStreams(false);
    if (all + uka == 0) {
      return;
    }
    lines.add(row("streams", "", "written", "read", ""));
    lines.add(
        row("  in the JDK's format", "", count(jdk), count(StreamTally.readStreams(true)), ""));
    if (uka > 0) {
      lines.add(
          row(
              "  in UKA's format",
              "",
              count(StreamTally.writtenStreams(false)),
              count(StreamTally.readStreams(false)),
              ""));
    }
    if (jdk > 0) {
      next.add("-Duka.format=uka, where every reader has KaRMI: fewer bytes");
    }
  }

  private void addRefusals(Map<String, Long> ofNode) {
    Map<String, Long> counters = new TreeMap<>(ofNode);
    /* The node counts those of its own filters alone. */
    counters.merge("objectsRefused", StreamTally.refusedObjects(), Math::max);
    StringBuilder refused = new StringBuilder();
    for (Map.Entry<String, Long> each : counters.entrySet()) {
      String name = each.getKey();
      boolean isRefusal = name.endsWith("Refused") || name.contains(".closed.");
      if (isRefusal && each.getValue() > 0) {
        refused.append(refused.length() == 0 ? "" : ", ");
        refused.append(name).append(' ').append(count(each.getValue()));
      }
    }
    boolean hasCalls = !lines.isEmpty();
    if (refused.length() > 0) {
      lines.add("  refused: " + refused);
    } else if (hasCalls) {
      lines.add("  refused: nothing");
    }
  }

  private static String row(String what, String network, String made, String served, String why) {
    return String.format(Locale.ROOT, "  %-22s %-6s%10s%10s  %s", what, network, made, served, why)
        .stripTrailing();
  }

  private static String calls(long number) {
    return count(number) + (number == 1 ? " call" : " calls");
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}

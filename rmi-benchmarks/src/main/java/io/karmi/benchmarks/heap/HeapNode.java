package io.karmi.benchmarks.heap;

import io.karmi.benchmarks.measure.CommandedJvm;
import io.karmi.benchmarks.measure.FreePort;
import io.karmi.benchmarks.measure.Percentiles;
import io.karmi.benchmarks.payloads.NumberArrays;
import io.karmi.benchmarks.payloads.Pair;
import io.karmi.benchmarks.payloads.Point;
import io.karmi.benchmarks.payloads.Tree;
import io.karmi.messaging.Address;
import io.karmi.messaging.Messaging;
import io.karmi.messaging.ObjectChannel;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A JVM that sends, receives, asks, answers, or ranks pages: see {@link HeapNodes}. */
public final class HeapNode implements CommandedJvm.Program {
  private static final String NAME = "heap";
  private static final int PATIENCE_SECONDS = 60;

  /** By the name of the way and the number of the node at its other end. */
  private final Map<String, NavigableMap<Integer, Carrier>> ways = new HashMap<>();

  private final BlockingQueue<ObjectChannel> opened = new LinkedBlockingQueue<>();
  private final KeyValues values = new KeyValues();
  private final ServerSocket listening;
  private @Nullable PageRank pages;

  /** The command that has made the pages. */
  private String ranked = "";

  /** What is to be sent; it was never sent before. */
  private Object[] graphs = {};

  private HeapNode() throws Exception {
    listening = new ServerSocket(0, 2, InetAddress.getLoopbackAddress());
    listening.setSoTimeout((int) TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
  }

  /** Executes commands until its input ends. */
  public static void main(String... arguments) throws Exception {
    CommandedJvm.serve(new HeapNode());
    System.exit(0);
  }

  @Override
  public void prepare(String... words) {
    switch (words[0]) {
      case "send" -> {
        graphs = new Object[number(words[6])];
        Arrays.setAll(graphs, i -> graph(words[4], number(words[5])));
      }
      case "echo" -> {
        graphs = new Object[number(words[4])];
        Arrays.setAll(graphs, i -> "x".repeat(number(words[3])));
      }
      case "ycsb" ->
          graphs = KeyValues.requests(number(words[3]), number(words[5]), number(words[4]));
      case "graph" -> {
        String graph = String.join(" ", words);
        if (!graph.equals(ranked)) {
          pages = new PageRank(number(words[1]), number(words[2]), number(words[3]));
          ranked = graph;
        }
      }
      case "entries" -> values.fill(number(words[1]));
      default -> {
        /* It needs nothing. */
      }
    }
  }

  private static Object graph(String kind, int size) {
    return switch (kind) {
      case "floats" -> NumberArrays.floats(size);
      case "points" -> Point.many(size);
      case "pairs" -> Pair.many(size);
      default -> {
        Tree[] trees = new Tree[size];
        Arrays.setAll(trees, i -> tree(kind));
        yield trees;
      }
    };
  }

  /** A tree by the number of its objects on each level. */
  private static @Nullable Tree tree(String levels) {
    return switch (levels) {
      case "1-0-0" -> Tree.ofSize(1);
      case "1-1-0" -> Tree.ofSize(2);
      case "1-2-0" -> Tree.ofSize(3);
      default -> new Tree(new int[4], Tree.ofSize(2), null);
    };
  }

  @Override
  public String execute(String... words) throws Exception {
    return switch (words[0]) {
      case "serve" -> serve();
      case "await" -> accept(words[1], number(words[2]));
      case "connect" -> connect(words[1], number(words[2]), number(words[3]), number(words[4]));
      case "send" -> send(way(words), words[3], number(words[7]));
      case "receive" -> receive(way(words), words[3], number(words[4]));
      case "echo", "ycsb" -> ask(way(words));
      case "answer" -> answer(way(words), number(words[3]));
      case "rank" ->
          rank(
              some(ways.get(words[1])).headMap(number(words[4]), false),
              number(words[2]),
              words[3].equals("dense"));
      case "graph", "entries" -> "";
      default -> throw new IllegalArgumentException(words[0]);
    };
  }

  /** The ports for sockets and of a registry. */
  private String serve() throws Exception {
    Messaging.ofThisNode().onChannel(NAME, opened::add);
    int port = FreePort.next();
    LocateRegistry.createRegistry(port).bind(NAME, UnicastRemoteObject.exportObject(values, 0));
    return listening.getLocalPort() + " " + port;
  }

  /** Takes the end of a way that another node connects. */
  private String accept(String name, int peer) throws Exception {
    if (!HeapNodes.isOfKarmi(name)) {
      return add(name, peer, Carrier.over(listening.accept(), name));
    }
    return name.startsWith(HeapNodes.CALLS)
        ? ""
        : add(name, peer, channel(name, some(opened.poll(PATIENCE_SECONDS, TimeUnit.SECONDS))));
  }

  private String connect(String name, int peer, int port, int registry) throws Exception {
    if (!HeapNodes.isOfKarmi(name)) {
      return add(
          name, peer, Carrier.over(new Socket(InetAddress.getLoopbackAddress(), port), name));
    }
    Store store = (Store) LocateRegistry.getRegistry("127.0.0.1", registry).lookup(NAME);
    return add(
        name,
        peer,
        name.startsWith(HeapNodes.CALLS)
            ? new Carrier.OfCalls(store)
            : channel(name, ObjectChannel.open(Address.of(store), NAME)));
  }

  private static Carrier channel(String name, ObjectChannel channel) {
    return new Carrier.OfChannel(channel, name.endsWith("tcp"), false);
  }

  private String add(String name, int peer, Carrier way) {
    ways.computeIfAbsent(name, any -> new TreeMap<>()).put(peer, way);
    return "";
  }

  private Carrier way(String... words) {
    return some(some(ways.get(words[1])).get(number(words[2])));
  }

  private static <T> T some(@Nullable T value) {
    return Objects.requireNonNull(value, "a command came too early, or nothing has come");
  }

  private static int number(String word) {
    return Integer.parseInt(word);
  }

  /** Times of each graph, or of all of them; bytes; the parts of the time. */
  private String send(Carrier way, String mode, int units) throws Exception {
    boolean each = !mode.equals("all");
    begin(way, mode);
    long before = way.sentBytes();
    long[] nanos = new long[each ? graphs.length : 1];
    long start = System.nanoTime();
    for (int i = 0; i < graphs.length; i++) {
      way.send(graphs[i]);
      graphs[i] = "";
      if (each) {
        way.await();
        long end = System.nanoTime();
        nanos[i] = end - start;
        start = end;
      }
    }
    if (!each) {
      way.await();
      nanos[0] = System.nanoTime() - start;
    }
    long bytes = before < 0 ? -1 : way.sentBytes() - before;
    return times(nanos, each ? 1 : units) + ' ' + bytes + parts(way);
  }

  private static void begin(Carrier way, String mode) {
    way.isTimed = mode.equals("parts");
    way.objectNanos = 0;
    way.wireNanos = 0;
  }

  private static String parts(Carrier way) {
    return " " + way.objectNanos + ' ' + way.wireNanos;
  }

  private static String times(long[] nanos, int units) {
    return Percentiles.of(nanos, units).toWords();
  }

  /** A hash of the last graph, and the parts of the time. */
  private static String receive(Carrier way, String mode, int count) throws Exception {
    begin(way, mode);
    Object last = null;
    for (int i = 0; i < count; i++) {
      last = way.receive();
      if (!mode.equals("all") || i == count - 1) {
        way.acknowledge();
      }
    }
    return hash(last) + parts(way);
  }

  private static int hash(@Nullable Object graph) {
    return Arrays.deepHashCode(new @Nullable Object[] {graph});
  }

  /** Times of the requests, and a hash of the last answer. */
  private String ask(Carrier way) throws Exception {
    long[] nanos = new long[graphs.length];
    Object last = null;
    long start = System.nanoTime();
    for (int i = 0; i < graphs.length; i++) {
      last = way.ask(graphs[i]);
      long end = System.nanoTime();
      nanos[i] = end - start;
      start = end;
    }
    return times(nanos, 1) + ' ' + hash(last);
  }

  private String answer(Carrier way, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      way.send(values.apply(some(way.receive())));
    }
    return "";
  }

  /** Times of the iterations, and the sum of this node's ranks. */
  private String rank(Map<Integer, Carrier> others, int iterations, boolean dense)
      throws Exception {
    PageRank own = some(pages);
    return times(own.run(others, iterations, dense), 1) + ' ' + own.sum();
  }
}

package io.karmi.exchange;

import io.karmi.exchange.directory.Report;
import io.karmi.exchange.remote.MetadataServer;
import io.karmi.exchange.server.ExchangeServer;
import io.karmi.kit.Deadline;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.Naming;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A member in a JVM of its own, by commands of one line: {@code put seed objects}, {@code bind key
 * seed objects}, {@code get key}, {@code open address}, {@code fetch address}, {@code attempt
 * address}, {@code close address}, {@code combine address...}; {@code impatient} before one of
 * these, for which the limit is short. Each is answered by a line that begins with {@code ok} or
 * {@code failed}.
 */
public final class MemberMain {
  private static final Map<GroupAddress, Group<?>> HELD = new HashMap<>();

  /** Strong, as exported objects are not. */
  private static final List<Object> EXPORTED = new ArrayList<>();

  /** {@code karmi.internal.exchangeTimeout}: members take long on a machine that does much else. */
  static final String LIMIT_MILLIS = "60000";

  /** Of those that are impatient. */
  static final int SHORT_MILLIS = 5000;

  private MemberMain() {}

  /**
   * The program.
   *
   * @param arguments URL of the space; at which step of a put or a fetch it ends itself, and how
   *     often that is reached; {@code told} if it is to wait there, in place of its end, until the
   *     directory knows that a second member holds the group
   */
  public static void main(String... arguments) throws IOException {
    ExchangeSpace space = ExchangeSpace.join(arguments[0]);
    if (arguments.length > 1) {
      Runnable then =
          arguments.length > 3
              ? () -> awaitSecondHold(arguments[0])
              : () -> Runtime.getRuntime().halt(9); // as kill -9
      Steps.tell(new StopAt(arguments[1], Integer.parseInt(arguments[2]), then));
    }
    System.out.println("joined");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      try {
        System.out.println("ok " + execute(space, line.split(" ")));
      } catch (Exception e) {
        System.out.println("failed " + e.getClass().getSimpleName() + ": " + e.getMessage());
      }
    }
    space.close();
  }

  private static void awaitSecondHold(String url) {
    try {
      MetadataServer server = (MetadataServer) Naming.lookup(url);
      Deadline.await("it is told", () -> server.list(1)[0].contains("holders 2"));
    } catch (NotBoundException | IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Does something when a step has been reached for the nth time. */
  private static final class StopAt implements Consumer<String> {
    private final String step;
    private int times;
    private final Runnable then;

    StopAt(String step, int times, Runnable then) {
      this.step = step;
      this.times = times;
      this.then = then;
    }

    @Override
    public void accept(String reached) {
      if (reached.equals(step) && --times == 0) {
        then.run();
      }
    }
  }

  /** A service whose result is a group. */
  public interface Catalog extends Remote {
    /** All of it. */
    Group<ArrayList<Object>> all() throws RemoteException;
  }

  private static final class Served implements Catalog {
    private final Group<?> all;

    Served(Group<?> all) {
      this.all = all;
    }

    @Override
    @SuppressWarnings("unchecked")
    public Group<ArrayList<Object>> all() {
      return (Group<ArrayList<Object>>) all;
    }
  }

  private static Object execute(ExchangeSpace space, String... words) throws Exception {
    switch (words[0]) {
      case "impatient":
        System.setProperty("karmi.internal.exchangeTimeout", Integer.toString(SHORT_MILLIS));
        try {
          return execute(space, Arrays.copyOfRange(words, 1, words.length));
        } finally {
          System.setProperty("karmi.internal.exchangeTimeout", LIMIT_MILLIS);
        }
      case "put":
        return keep(space.put(graph(words[1], words[2])));
      case "bind":
        return keep(space.put(words[1], graph(words[2], words[3])));
      case "replace":
        return keep(space.replace(words[1], graph(words[2], words[3])));
      case "store":
        return keep(((JoinedSpace) space).put(graph(words[1], words[2]), Report.STORED));
      case "combine":
        List<Object> parts = new ArrayList<>();
        for (int i = 1; i < words.length; i++) {
          parts.add(HELD.get(GroupAddress.parse(words[i])));
        }
        return keep(space.put(parts));
      case "get":
        return sum(space.get(words[1]));
      case "peek": // holds it no longer
        try (Group<?> peeked = space.get(words[1])) {
          return Graphs.sum(peeked.object());
        }
      case "await":
        return sum(space.await(words[1], Duration.ofSeconds(60)));
      case "open":
        return sum(space.get(GroupAddress.parse(words[1])));
      case "attempt": // of bytes of which anything may be made
        try (Group<?> attempted = space.get(GroupAddress.parse(words[1]))) {
          return attempted.object() == null ? "nothing" : "made";
        } catch (IOException | RuntimeException e) {
          return "refused";
        }
      case "spoil":
        Group<?> spoiled = HELD.get(GroupAddress.parse(words[1]));
        ((List<?>) spoiled.object()).clear();
        return spoiled.object();
      case "fetch": // makes no objects
        return keep(space.get(GroupAddress.parse(words[1])));
      case "came": // in a stream
        return keep(((JoinedSpace) space).hold(GroupAddress.parse(words[1])));
      case "read":
        return sum(HELD.get(GroupAddress.parse(words[1])));
      case "length":
        return space.get(GroupAddress.parse(words[1])).lengthBytes();
      case "close":
        HELD.remove(GroupAddress.parse(words[1])).close();
        return "closed";
      case "server":
        ExchangeServer.start(Integer.parseInt(words[1])); // the result is dropped
        return "started";
      case "urls":
        return keep(space.put(urls(Integer.parseInt(words[1]))));
      case "ranks":
        return keep(space.put(ranks((List<?>) HELD.get(GroupAddress.parse(words[1])).object())));
      case "ranked":
        return ranked(space, words[1], words[2]);
      case "gc":
        System.gc();
        return "collected";
      case "serve":
        Group<?> all = HELD.get(GroupAddress.parse(words[2]));
        Registry registry = LocateRegistry.createRegistry(Integer.parseInt(words[1]));
        Served served = new Served(all);
        registry.rebind("catalog", UnicastRemoteObject.exportObject(served, 0));
        EXPORTED.addAll(List.of(registry, served));
        return "serves";
      case "call":
        Catalog catalog = (Catalog) Naming.lookup("//localhost:" + words[1] + "/catalog");
        return sum(catalog.all());
      default:
        throw new IllegalArgumentException(words[0]);
    }
  }

  private static List<String> urls(int count) {
    List<String> urls = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      urls.add("https://www.example.org/a/page/" + i * 7919L);
    }
    return urls;
  }

  private static Map<Object, Double> ranks(List<?> urls) {
    Map<Object, Double> ranks = new HashMap<>();
    urls.forEach(each -> ranks.put(each, 1.0 / (2 + ranks.size())));
    return ranks;
  }

  /** Whether these are the ranks of the URLs, and how many of them are the very URLs. */
  private static String ranked(ExchangeSpace space, String urls, String ranks) throws IOException {
    Map<?, ?> found = (Map<?, ?>) space.get(GroupAddress.parse(ranks)).object();
    List<?> named = (List<?>) space.get(GroupAddress.parse(urls)).object();
    Map<Object, Boolean> identities = new IdentityHashMap<>();
    named.forEach(each -> identities.put(each, true));
    long same = found.keySet().stream().filter(identities::containsKey).count();
    return found.equals(ranks(urls(named.size()))) + " " + same;
  }

  private static Object graph(String seed, String objects) {
    return Graphs.random(Long.parseLong(seed), Integer.parseInt(objects));
  }

  private static GroupAddress keep(Group<?> group) {
    HELD.put(group.address(), group);
    return group.address();
  }

  /** Check sum of a group's objects, with those of the groups in it. */
  private static String sum(Group<?> group) throws IOException {
    keep(group);
    Object root = group.object();
    if (root instanceof List<?> parts && !parts.isEmpty() && parts.get(0) instanceof Group<?>) {
      List<String> sums = new ArrayList<>();
      for (Object each : parts) {
        sums.add(sum((Group<?>) each));
      }
      return sums.toString();
    }
    return Long.toString(Graphs.sum(root));
  }
}

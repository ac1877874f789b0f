package io.karmi.bridge;

import io.karmi.reference.Node;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.rmi.Remote;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The JVM of a hub: says how it is called, then takes commands. */
public final class HubMain implements Hub {
  private final Map<String, Remote> objects = new ConcurrentHashMap<>();

  private HubMain() {}

  @Override
  public void put(String name, Remote object) {
    objects.put(name, object);
  }

  @Override
  public Remote get(String name) {
    return objects.get(name);
  }

  @Override
  public void forget(String name) {
    objects.remove(name);
  }

  /** How many there are now, and how many there were at most at a time. */
  private static String threads() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    return threads.getThreadCount() + " " + threads.getPeakThreadCount();
  }

  /** How many calls have come in by any technology. */
  private static long served() {
    return Node.current().counters().entrySet().stream()
        .filter(each -> each.getKey().endsWith(".callsServed"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Serves until it is killed; given a number, as a bridge with that pause between its looks. */
  public static void main(String[] arguments) throws Exception {
    if (arguments.length > 0) {
      Node.current().use(new Bridge(Node.current(), Long.parseLong(arguments[0])));
    }
    HubMain hub = new HubMain();
    Remote stub = UnicastRemoteObject.exportObject(hub, 0);
    System.out.println("hub " + StoredStubs.toText(stub));
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ");
      switch (words[0]) {
        case "relay" -> hub.put(words[1], ((Hub) StoredStubs.fromText(words[2])).get(words[1]));
        case "exported" -> System.gc();
        case "forget" -> hub.forget(words[1]);
        case "served" -> System.out.println("served " + served());
        case "twice" -> System.out.println("twice " + ((Worker) hub.get(words[1])).twice(21));
        case "threads" -> System.out.println("threads " + threads());
        default -> throw new IllegalArgumentException(line);
      }
      System.out.println("done " + Node.current().counters().get("exportedObjects"));
    }
  }
}

package io.karmi.choice;

import io.karmi.reference.Node;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Serves an object, or calls it when it is told to; and says how often over which technology. */
public final class ChoiceMain {
  private static final AtomicInteger COUNT = new AtomicInteger();

  /** Static, so that no collector takes it. */
  private static final Counted OBJECT = COUNT::incrementAndGet;

  private ChoiceMain() {}

  /**
   * Takes {@code serve} or {@code call}, the port of the registry, and its host if it is another.
   */
  public static void main(String[] arguments) throws Exception {
    int port = Integer.parseInt(arguments[1]);
    String host = arguments.length > 2 ? arguments[2] : "127.0.0.1";
    if (arguments[0].equals("serve")) {
      LocateRegistry.createRegistry(port)
          .bind("counted", UnicastRemoteObject.exportObject(OBJECT, 0));
      print("ready");
    }
    Counted stub = null;
    BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      if (line.equals("look up")) {
        stub = (Counted) LocateRegistry.getRegistry(host, port).lookup("counted");
        print("found");
      } else if (line.equals("call")) {
        print("counted " + (stub == null ? 0 : stub.count()));
      } else {
        print("counters " + counters());
      }
    }
  }

  /** Connections and calls, by technology; the messages of collectors are among the latter. */
  private static Map<String, Long> counters() {
    Map<String, Long> some = new TreeMap<>();
    Node.current()
        .counters()
        .forEach(
            (name, value) -> {
              if (name.endsWith(".callsMade") || name.endsWith(".connectionsOpened")) {
                some.put(name, value);
              }
            });
    return some;
  }

  private static void print(String line) {
    System.out.println(line);
    System.out.flush();
  }
}

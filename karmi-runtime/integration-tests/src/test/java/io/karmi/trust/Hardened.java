package io.karmi.trust;

import io.karmi.kit.FreePort;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.Serializable;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A server, its client, and a client on stock RMI, whose set-up is the command line's. */
public final class Hardened {
  private static final int LONG_TEXT_CHARS = 20_000_000;
  private static final int DEEP_LEVELS = 200;

  /** Far fewer than the filter's depth. */
  private static final int HASHED_LEVELS = 45;

  /** Kept from the collector. */
  private static Remote kept;

  private Hardened() {}

  /** A class that no signature leads to. */
  public static final class Gadget implements Serializable {
    private static final long serialVersionUID = 1;
  }

  /** What is called. */
  public interface Greeter extends Remote {
    /** Answers a text. */
    String greet(String name) throws RemoteException;

    /** Takes what its filter lets through. */
    int size(List<Object> list) throws RemoteException;
  }

  private static final class Implementation implements Greeter {
    @Override
    public String greet(String name) {
      System.out.println("CALLED greet");
      return "hello " + name.length();
    }

    @Override
    public int size(List<Object> list) {
      System.out.println("CALLED size");
      return list.size();
    }
  }

  private interface Call {
    Object make() throws Exception;
  }

  /** Serves with {@code serve}, calls with {@code call} or, on stock RMI, with {@code stock}. */
  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("serve")) {
      int port = FreePort.any();
      Registry registry = LocateRegistry.createRegistry(port);
      kept = new Implementation();
      registry.rebind("greeter", UnicastRemoteObject.exportObject(kept, 0));
      System.out.println("port " + port);
      Thread.sleep(600_000);
    }
    int port = Integer.parseInt(arguments[1]);
    if (arguments[0].equals("stock")) {
      tell(
          "list",
          () -> java.rmi.registry.LocateRegistry.getRegistry("127.0.0.1", port).list().length);
      return;
    }
    Registry registry = LocateRegistry.getRegistry("127.0.0.1", port);
    if (tell("lookup", () -> registry.lookup("greeter") instanceof Greeter)) {
      callAll((Greeter) registry.lookup("greeter"));
    }
  }

  private static void callAll(Greeter greeter) {
    tell("greet", () -> greeter.greet("you"));
    tell("values", () -> greeter.size(List.of("a", 1, 2.0)));
    tell("gadget", () -> greeter.size(List.of(new Gadget())));
    tell("deep", () -> greeter.size(deep()));
    tell("sets", () -> greeter.size(List.of(setsOfSets())));
    tell("long", () -> greeter.greet("x".repeat(LONG_TEXT_CHARS)));
    tell("again", () -> greeter.greet("you"));
  }

  private static List<Object> deep() {
    List<Object> list = new ArrayList<>();
    for (int i = 0; i < DEEP_LEVELS; i++) {
      List<Object> outer = new ArrayList<>();
      outer.add(list);
      list = outer;
    }
    return list;
  }

  /** Each has the same two sets of the next level: its hash takes 2 to the power of its levels. */
  private static Set<Object> setsOfSets() {
    Set<Object> outermost = new HashSet<>();
    Set<Object> one = outermost;
    Set<Object> other = new HashSet<>();
    for (int i = 0; i < HASHED_LEVELS; i++) {
      Set<Object> next = new HashSet<>();
      Set<Object> nextOther = new HashSet<>(Set.of("not equal to next"));
      for (Set<Object> each : List.of(one, other)) {
        each.add(next);
        each.add(nextOther);
      }
      one = next;
      other = nextOther;
    }
    return outermost;
  }

  private static boolean tell(String what, Call call) {
    try {
      System.out.println(what + ": " + call.make());
      return true;
    } catch (Exception e) {
      Throwable root = e;
      while (root.getCause() != null) {
        root = root.getCause();
      }
      String problem = (e + " | " + root).replaceAll("\\s+", " ");
      System.out.println(what + " failed: " + problem);
      return false;
    }
  }
}

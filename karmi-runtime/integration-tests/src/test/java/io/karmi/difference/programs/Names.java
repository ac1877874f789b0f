package io.karmi.difference.programs;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.rmi.Naming;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Registries, and URLs of names in them. */
public final class Names implements Program {
  /** Something to name. */
  public interface Thing extends Remote {
    String name() throws RemoteException;
  }

  static final class NamedThing implements Thing {
    private final String name;

    NamedThing(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }
  }

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.createRegistry(port);
    NamedThing thing = new NamedThing("first");
    UnicastRemoteObject.exportObject(thing, 0);
    registry.bind("thing", thing);
    Registry second = LocateRegistry.createRegistry(0);
    second.rebind("elsewhere", thing);
    observed.accept("first: " + Arrays.toString(registry.list()));
    observed.accept("second: " + Arrays.toString(second.list()));
    observed.accept("null: " + Observe.outcomeOf(() -> registry.bind("null", null)));
    observed.accept("no name: " + Observe.outcomeOf(() -> registry.bind(null, thing)));
    observed.accept("no name: " + Observe.outcome(() -> registry.lookup(null)));
    observed.accept("unexport: " + UnicastRemoteObject.unexportObject(second, true));
    observed.accept("afterwards: " + Arrays.toString(second.list()));
    observed.accept("a registry is: " + registry.getClass().getSimpleName().isEmpty());
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.getRegistry("localhost", port);
    Thing thing = (Thing) registry.lookup("thing");
    observed.accept("lookup: " + thing.name());
    observed.accept("bound: " + Observe.outcomeOf(() -> registry.bind("thing", thing)));
    observed.accept("unknown: " + Observe.outcome(() -> registry.lookup("nothing")));
    observed.accept("unknown: " + Observe.outcomeOf(() -> registry.unbind("nothing")));
    NamedThing own = new NamedThing("own");
    UnicastRemoteObject.exportObject(own, 0);
    String odd = "odd: / ü \u0000 \uD83D\uDE00 ?#@";
    registry.rebind(odd, own);
    registry.rebind("", own);
    observed.accept("odd: " + ((Thing) registry.lookup(odd)).name());
    observed.accept("empty: " + ((Thing) registry.lookup("")).name());
    observed.accept(
        "not exported: "
            + Observe.outcomeOf(() -> registry.rebind("unexported", new NamedThing("x"))));
    observed.accept("null: " + Observe.outcomeOf(() -> registry.rebind("null", null)));
    for (int i = 0; i < 2000; i++) {
      registry.rebind("many" + i, thing);
    }
    observed.accept("many: " + registry.list().length);
    for (int i = 0; i < 2000; i++) {
      registry.unbind("many" + i);
    }
    observed.accept("list: " + new TreeSet<>(Arrays.asList(registry.list())));
    registry.unbind(odd);
    registry.unbind("");
    observed.accept(
        "equal: "
            + registry.equals(LocateRegistry.getRegistry("localhost", port))
            + registry.equals(LocateRegistry.getRegistry("localhost", port + 1)));
    try (Socket bound = new Socket()) { // no other process listens there meanwhile
      bound.bind(new InetSocketAddress("localhost", 0));
      Registry none = LocateRegistry.getRegistry("localhost", bound.getLocalPort());
      observed.accept("nobody there: " + Observe.outcome(none::list));
    }
    observed.accept(
        "unknown host: "
            + Observe.outcome(() -> LocateRegistry.getRegistry("no.such.host.invalid", 1).list()));
    bindAtOnce(registry, own, observed);
    urls(port, own, observed);
    UnicastRemoteObject.unexportObject(own, true);
    observed.accept("gone: " + Observe.outcome(() -> ((Thing) registry.lookup("own")).name()));
  }

  /** Each name can be bound once, by the first thread that tries. */
  private static void bindAtOnce(Registry registry, Thing own, Consumer<String> observed)
      throws Exception {
    AtomicInteger bound = new AtomicInteger();
    AtomicInteger refused = new AtomicInteger();
    Thread[] binders = new Thread[8];
    for (int i = 0; i < binders.length; i++) {
      binders[i] =
          new Thread(
              () -> {
                for (int name = 0; name < 50; name++) {
                  String wanted = "contested" + name;
                  String outcome = Observe.outcomeOf(() -> registry.bind(wanted, own));
                  (outcome.equals("done") ? bound : refused).incrementAndGet();
                }
              });
      binders[i].start();
    }
    for (Thread binder : binders) {
      binder.join();
    }
    observed.accept("contested: " + bound + " bound, " + refused + " refused");
    for (int name = 0; name < 50; name++) {
      registry.unbind("contested" + name);
    }
  }

  private static void urls(int port, Thing own, Consumer<String> observed) throws Exception {
    String host = "localhost:" + port;
    for (String url :
        new String[] {
          "//" + host + "/thing",
          "rmi://" + host + "/thing",
          "//:" + port + "/thing",
          "rmi://:" + port + "/thing",
          "//127.0.0.1:" + port + "/thing",
          "//[::1]:" + port + "/nothing",
          "//" + host + "/a:b",
          "//" + host + "/a/b",
          "//" + host + "//",
          "rmi:thing",
          "http://" + host + "/thing",
          "//" + host + "/a#b",
          "//" + host + "/a?b",
          "//me@" + host + "/a",
          "//" + host + "/a b",
          "//:x/thing",
          "//" + host + "/",
          "//bad host/x",
          "rmi:///",
          "//" + host + "/%7e",
          "//_a_:1/thing",
          "//localhost:99999/x"
        }) {
      observed.accept(lookupOutcome(url, port));
    }
    Naming.rebind("//" + host + "/own", own);
    Naming.bind("rmi://" + host + "/dir/own:2", own);
    observed.accept("bound: " + Observe.outcomeOf(() -> Naming.bind("//" + host + "/own", own)));
    observed.accept("null: " + Observe.outcomeOf(() -> Naming.bind("//" + host + "/n", null)));
    observed.accept(
        "list: "
            + new TreeSet<>(Arrays.asList(Naming.list("rmi://" + host)))
                .toString()
                .replace(host, "HOST"));
    observed.accept(
        "list without a host: "
            + new TreeSet<>(Arrays.asList(Naming.list("//:" + port)))
                .toString()
                .replace(":" + port, ":PORT"));
    Naming.unbind("//" + host + "/dir/own:2");
    observed.accept("unbind: " + Observe.outcomeOf(() -> Naming.unbind("//" + host + "/x")));
    observed.accept("registry: " + (Naming.lookup("//" + host) instanceof Registry));
  }

  private static String lookupOutcome(String url, int port) {
    String outcome;
    try {
      Remote found = Naming.lookup(url);
      outcome = found instanceof Thing ? ((Thing) found).name() : "a registry";
    } catch (java.net.MalformedURLException e) {
      outcome = Observe.inFull(e).replaceAll(" <- .*", "");
    } catch (Throwable e) {
      outcome = Observe.thrown(e);
    }
    return (url + " -> " + outcome).replace(String.valueOf(port), "PORT");
  }
}

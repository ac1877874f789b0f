package io.karmi.difference.programs;

import java.io.ObjectInputFilter;
import java.io.Serializable;
import java.math.BigDecimal;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** What filters see of a call's arguments, and what they stop. */
public final class Filters implements Program {
  /** Takes everything that is let through. */
  public interface Sink extends Remote {
    String take(Object value) throws RemoteException;

    int hash(Object value) throws RemoteException;

    int calls() throws RemoteException;
  }

  static final class SinkObject implements Sink {
    private int calls;

    @Override
    public String take(Object value) {
      calls++;
      return value == null ? "null" : value.getClass().getSimpleName();
    }

    @Override
    public int hash(Object value) {
      return value.hashCode();
    }

    @Override
    public int calls() {
      return calls;
    }
  }

  static final class Forbidden implements Serializable {
    private static final long serialVersionUID = 1;
  }

  static final class Harmless implements Remote, Serializable {
    private static final long serialVersionUID = 1;
    final String text = "harmless";
  }

  static final class Loaded implements Remote, Serializable {
    private static final long serialVersionUID = 1;
    final Map<String, String> map = new HashMap<>();
  }

  /** Static, so that no collector takes them. */
  private static Sink open;

  private static Sink guarded;

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    ObjectInputFilter.Config.setSerialFilter(
        info ->
            info.serialClass() == Forbidden.class
                ? ObjectInputFilter.Status.REJECTED
                : ObjectInputFilter.Status.UNDECIDED);
    Registry registry = LocateRegistry.createRegistry(port);
    open = new SinkObject();
    registry.bind("open", UnicastRemoteObject.exportObject(open, 0));
    guarded = new SinkObject();
    AtomicInteger seen = new AtomicInteger();
    ObjectInputFilter filter =
        info -> {
          seen.incrementAndGet();
          return info.serialClass() == ArrayList.class || info.arrayLength() > 100
              ? ObjectInputFilter.Status.REJECTED
              : ObjectInputFilter.Status.UNDECIDED;
        };
    registry.bind("guarded", UnicastRemoteObject.exportObject(guarded, 0, filter));
    observed.accept(
        "again: " + Observe.outcome(() -> UnicastRemoteObject.exportObject(guarded, 0)));
    observed.accept(
        "again: " + Observe.outcome(() -> UnicastRemoteObject.exportObject(open, 0, filter)));
    observed.accept("toStub: " + (UnicastRemoteObject.toStub(guarded) instanceof Sink));
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.getRegistry("localhost", port);
    Sink sink = (Sink) registry.lookup("open");
    observed.accept("list: " + sink.take(new ArrayList<>(List.of(1))));
    for (int round = 0; round < 3; round++) {
      for (Object values : valuesOfEachKind(1_000)) {
        observed.accept(values.getClass() + ": " + sink.hash(values));
      }
    }
    observed.accept("forbidden: " + Observe.outcome(() -> sink.take(new Forbidden())));
    observed.accept("inside: " + Observe.outcome(() -> sink.take(new Object[] {new Forbidden()})));
    observed.accept("calls: " + sink.calls());
    Sink filtered = (Sink) registry.lookup("guarded");
    observed.accept("text: " + filtered.take("text"));
    observed.accept("list: " + Observe.outcome(() -> filtered.take(new ArrayList<>())));
    observed.accept("array: " + Observe.outcome(() -> filtered.take(new int[101])));
    observed.accept("array: " + Observe.outcome(() -> filtered.take(new int[100])));
    observed.accept("calls: " + filtered.calls());
    observed.accept("passed on: " + sink.take(filtered).isEmpty());
    observed.accept("harmless: " + Observe.outcomeOf(() -> registry.bind("h", new Harmless())));
    observed.accept("read: " + ((Harmless) registry.lookup("h")).text);
    observed.accept("loaded: " + Observe.outcomeOf(() -> registry.bind("l", new Loaded())));
    observed.accept("bound: " + Observe.outcome(() -> registry.lookup("l")));
  }

  /** What has a form of its own on some wires, of which filters get to see every part. */
  private static List<Object> valuesOfEachKind(int length) {
    List<Object> numbers = new ArrayList<>();
    Map<Object, Object> squares = new HashMap<>();
    List<Object> mixed = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      numbers.add(i * 37);
      squares.put(i, (long) i * i);
      mixed.add(BigDecimal.valueOf(i, 2));
      mixed.add(new Date(i * 86_400_000L));
      mixed.add(LocalDate.ofEpochDay(i));
    }
    return List.of(
        numbers,
        squares,
        mixed,
        new TreeMap<>(squares),
        new ConcurrentHashMap<>(squares),
        new LinkedList<>(numbers));
  }
}

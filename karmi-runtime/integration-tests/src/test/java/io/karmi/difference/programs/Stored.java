package io.karmi.difference.programs;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.rmi.MarshalledObject;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NameClassPair;

/** Objects and references that are kept as bytes, and names of JNDI. */
public final class Stored implements Program {
  /** Keeps what it is given as it is. */
  public interface Safe extends Remote {
    void put(MarshalledObject<?> content) throws RemoteException;

    MarshalledObject<?> get() throws RemoteException;

    boolean equals(MarshalledObject<?> other, int dummy) throws RemoteException;

    Object open() throws RemoteException;

    MarshalledObject<Safe> self() throws RemoteException;

    String name() throws RemoteException;
  }

  static final class SafeObject implements Safe {
    private MarshalledObject<?> content;

    @Override
    public synchronized void put(MarshalledObject<?> put) {
      content = put;
    }

    @Override
    public synchronized MarshalledObject<?> get() {
      return content;
    }

    @Override
    public synchronized boolean equals(MarshalledObject<?> other, int dummy) {
      return content.equals(other);
    }

    @Override
    public synchronized Object open() throws RemoteException {
      try {
        return content.get();
      } catch (Exception e) {
        throw new RemoteException("cannot open", e);
      }
    }

    @Override
    public MarshalledObject<Safe> self() throws RemoteException {
      try {
        return new MarshalledObject<>((Safe) UnicastRemoteObject.toStub(this));
      } catch (java.io.IOException e) {
        throw new RemoteException("cannot press", e);
      }
    }

    @Override
    public String name() {
      return "safe";
    }
  }

  static final class Coin implements Serializable {
    private static final long serialVersionUID = 1;
    final int value = 2;
    final List<String> sides = new ArrayList<>(List.of("heads", "tails"));

    @Override
    public String toString() {
      return value + sides.toString();
    }
  }

  /** Static, so that no collector takes it. */
  private static SafeObject safe;

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    safe = new SafeObject();
    LocateRegistry.createRegistry(port).bind("safe", UnicastRemoteObject.exportObject(safe, 0));
    observed.accept("of nothing: " + new MarshalledObject<>(null).get());
    observed.accept("hash code of nothing: " + new MarshalledObject<>(null).hashCode());
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.getRegistry("localhost", port);
    Safe found = (Safe) registry.lookup("safe");
    MarshalledObject<Coin> coin = new MarshalledObject<>(new Coin());
    found.put(coin);
    observed.accept("equal: " + found.get().equals(coin) + found.equals(coin, 0));
    observed.accept("hash codes: " + (found.get().hashCode() == coin.hashCode()));
    observed.accept("open: " + found.open() + " " + found.get().get());
    observed.accept("another: " + coin.equals(new MarshalledObject<>(new Coin())));
    observed.accept("unwritable: " + Observe.outcome(() -> new MarshalledObject<>(new Object())));
    MarshalledObject<Safe> self = found.self();
    observed.accept("self: " + self.get().equals(found) + self.get().name());
    found.put(new MarshalledObject<>(found));
    observed.accept("stub: " + found.open().equals(found) + found.get().get().equals(found));
    filtered(coin, observed);
    observed.accept("bytes: " + ((Safe) copy(found)).name() + copy(found).equals(found));
    found.put(new MarshalledObject<>(bytes(found)));
    byte[] bytes = (byte[]) found.open();
    observed.accept("travelled: " + ((Safe) read(bytes)).name());
    names(port, found, registry, observed);
  }

  /** A marshalled object keeps the filter of the stream it came by. */
  private static void filtered(MarshalledObject<Coin> coin, Consumer<String> observed)
      throws Exception {
    ObjectInputFilter noLists =
        info ->
            info.serialClass() == ArrayList.class
                ? ObjectInputFilter.Status.REJECTED
                : ObjectInputFilter.Status.UNDECIDED;
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes(coin)))) {
      in.setObjectInputFilter(noLists);
      MarshalledObject<?> read = (MarshalledObject<?>) in.readObject();
      observed.accept("filtered: " + Observe.outcome(read::get) + read.equals(coin));
    }
  }

  private static void names(int port, Safe found, Registry registry, Consumer<String> observed)
      throws Exception {
    Hashtable<String, String> environment = new Hashtable<>();
    environment.put(
        Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.rmi.registry.RegistryContextFactory");
    environment.put(Context.PROVIDER_URL, "rmi://localhost:" + port);
    Context context = new InitialContext(environment);
    observed.accept("JNDI: " + ((Safe) context.lookup("safe")).name());
    context.bind("other", found);
    observed.accept("bound: " + ((Safe) registry.lookup("other")).name());
    context.rename("other", "renamed");
    TreeSet<String> all = new TreeSet<>();
    for (var names = context.list(""); names.hasMore(); ) {
      NameClassPair name = names.next();
      all.add(name.getName());
    }
    observed.accept("list: " + all);
    observed.accept("unknown: " + Observe.outcome(() -> context.lookup("other")));
    observed.accept("twice: " + Observe.outcomeOf(() -> context.bind("renamed", found)));
    context.unbind("renamed");
    observed.accept(
        "by URL: " + ((Safe) context.lookup("rmi://localhost:" + port + "/safe")).name());
    context.close();
  }

  private static byte[] bytes(Object object) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  private static Object read(byte[] bytes) throws Exception {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return in.readObject();
    }
  }

  private static Object copy(Object object) throws Exception {
    return read(bytes(object));
  }
}

package io.karmi.difference.programs;

import java.io.Serializable;
import java.lang.reflect.Array;
import java.lang.reflect.Proxy;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** What becomes of arguments and results: values are copied, exported objects are referred to. */
public final class Copies implements Program {
  /** Takes everything. */
  public interface Desk extends Remote {
    boolean same(Object a, Object b) throws RemoteException;

    Object echo(Object argument) throws RemoteException;

    Object[] twice(Object argument) throws RemoteException;

    void append(List<String> list, String text) throws RemoteException;

    Desk self() throws RemoteException;

    boolean isSelf(Desk desk) throws RemoteException;

    String kind(Object argument) throws RemoteException;

    int sum(int... numbers) throws RemoteException;

    default String describe() throws RemoteException {
      return "default";
    }

    int down(Desk other, int depth) throws RemoteException;
  }

  /** Something that is bound itself, and not by a stub. */
  static final class Copied implements Remote, Serializable {
    private static final long serialVersionUID = 1;

    private final Object content;

    Copied(Object content) {
      this.content = content;
    }
  }

  static final class Server extends UnicastRemoteObject implements Desk {
    private static final long serialVersionUID = 1;

    Server() throws RemoteException {}

    @Override
    public boolean same(Object a, Object b) {
      return a == b;
    }

    @Override
    public Object echo(Object argument) {
      return argument;
    }

    @Override
    public Object[] twice(Object argument) {
      return new Object[] {argument, argument};
    }

    @Override
    public void append(List<String> list, String text) {
      list.add(text);
    }

    @Override
    public Desk self() {
      return this;
    }

    @Override
    public boolean isSelf(Desk desk) {
      return desk == this;
    }

    @Override
    public String kind(Object argument) {
      return (argument instanceof Server) + " " + (argument instanceof Desk);
    }

    @Override
    public int sum(int... numbers) {
      return Arrays.stream(numbers).sum();
    }

    @Override
    public String describe() {
      return "overridden";
    }

    @Override
    public int down(Desk other, int depth) throws RemoteException {
      return depth == 0 ? 0 : 1 + other.down(this, depth - 1);
    }
  }

  static final class Unexported implements Remote, Serializable {
    private static final long serialVersionUID = 1;
    final int value = 3;
  }

  record Point(int x, List<String> names) implements Serializable {}

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.createRegistry(port);
    Server server = new Server();
    registry.bind("desk", server);
    observe((Desk) UnicastRemoteObject.toStub(server), server, observed);
    observed.accept("lookup at home: " + (registry.lookup("desk") == server));
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.getRegistry("localhost", port);
    Desk desk = (Desk) registry.lookup("desk");
    Server own = new Server();
    observe(desk, own, observed);
    observed.accept("recursion: " + desk.down(own, 200));
    UnicastRemoteObject.unexportObject(own, true);
    byte[] large = new byte[100_000_000];
    large[large.length - 1] = 7;
    observed.accept("large: " + Arrays.equals(large, (byte[]) desk.echo(large)));
    for (Object content :
        List.of(new byte[100_000], new long[1_000_000], new byte[1_000_001], new Object[100_000])) {
      observed.accept("bound: " + bindCopy(registry, content));
    }
  }

  /**
   * How the registry takes a copy. Stock RMI may close the connection of one that it refuses while
   * that is still written, so the exception depends on who is faster.
   */
  private static String bindCopy(Registry registry, Object content) throws Exception {
    try {
      bindAndFind(registry, content);
      return "taken";
    } catch (RemoteException e) {
      return "refused";
    }
  }

  private static void bindAndFind(Registry registry, Object content) throws Exception {
    registry.bind("copy", new Copied(content));
    Copied copy = (Copied) registry.lookup("copy");
    registry.unbind("copy");
    if (Array.getLength(copy.content) != Array.getLength(content)) {
      throw new AssertionError("another length");
    }
  }

  private static void observe(Desk desk, Desk own, Consumer<String> observed) throws Exception {
    List<String> list = new ArrayList<>(List.of("a"));
    desk.append(list, "b");
    observed.accept("argument after the call: " + list);
    observed.accept("one object twice: " + desk.same(list, list));
    observed.accept("two equal ones: " + desk.same(new ArrayList<>(list), list));
    observed.accept("echo is another: " + (desk.echo(list) != list) + desk.echo(list).equals(list));
    Object[] twice = desk.twice(list);
    observed.accept("result keeps identity: " + (twice[0] == twice[1]));
    observed.accept("self: " + desk.self().equals(desk) + " " + (desk.self() == desk));
    observed.accept("self is a stub: " + !(desk.self() instanceof Server));
    observed.accept("stub comes home as a stub: " + desk.isSelf(desk) + " " + desk.kind(desk));
    observed.accept("own object: " + desk.kind(own) + " " + (desk.echo(own) == own));
    observed.accept("own object comes back equal: " + own.equals(desk.echo(own)));
    observed.accept("hash codes: " + (own.hashCode() == desk.echo(own).hashCode()));
    observed.accept("stub equals object: " + desk.echo(own).equals(own));
    observed.accept("unexported: " + ((Unexported) desk.echo(new Unexported())).value);
    observed.accept("default method: " + desk.describe());
    observed.accept("varargs: " + desk.sum() + " " + desk.sum(1, 2, 3));
    observed.accept("null: " + desk.echo(null) + " " + desk.same(null, null));
    observed.accept("enum: " + (desk.echo(TimeUnit.DAYS) == TimeUnit.DAYS));
    observed.accept("record: " + desk.echo(new Point(1, List.of("p"))));
    observed.accept("map: " + desk.echo(new EnumMap<>(Map.of(TimeUnit.DAYS, 1))));
    observed.accept("class: " + desk.echo(Point.class));
    observed.accept("arrays: " + Arrays.deepToString((Object[]) desk.echo(new int[][] {{1}, {}})));
    Object proxy =
        Proxy.newProxyInstance(
            Copies.class.getClassLoader(), new Class<?>[] {Comparable.class}, new Answer());
    @SuppressWarnings("unchecked")
    Comparable<Object> copy = (Comparable<Object>) desk.echo(proxy);
    observed.accept("proxy: " + copy.compareTo("any"));
    @SuppressWarnings("unchecked")
    Comparable<Object> lambda =
        (Comparable<Object>) desk.echo((Comparable<Object> & Serializable) other -> 5);
    observed.accept("lambda: " + lambda.compareTo("any"));
  }

  static final class Answer implements java.lang.reflect.InvocationHandler, Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
      return 42;
    }
  }
}

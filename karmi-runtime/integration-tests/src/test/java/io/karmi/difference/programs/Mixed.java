package io.karmi.difference.programs;

import java.io.IOException;
import java.io.Serializable;
import java.lang.ref.WeakReference;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RemoteServer;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** References in both directions, for ends that may run on different runtimes. */
public final class Mixed implements Program {
  /** Called back by the server. */
  public interface Listener extends Remote {
    String told(String what, Hub by) throws RemoteException, IOException;
  }

  /** What the server exports. */
  public interface Hub extends Remote {
    String greet(String name, Listener listener) throws RemoteException, IOException;

    void keep(Listener listener) throws RemoteException;

    Listener kept() throws RemoteException;

    Item newItem(int value) throws RemoteException;

    Bag bag(Bag content) throws RemoteException;

    boolean isOwn(Hub hub) throws RemoteException;

    boolean isItemGone(int value) throws RemoteException;

    boolean unexportItem(Item item, int value) throws RemoteException;

    String host() throws RemoteException;
  }

  /** Made by the server for one client. */
  public interface Item extends Remote {
    int value() throws RemoteException;
  }

  /** Holds references, in arrays and in lists. */
  public static final class Bag implements Serializable {
    private static final long serialVersionUID = 1;
    final List<Remote> list = new ArrayList<>();
    Remote[] array = {};
    Object first;

    private void writeObject(java.io.ObjectOutputStream out) throws IOException {
      writeIn(out);
    }

    private void writeIn(java.io.ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
    }
  }

  static final class ItemObject implements Item {
    private final int value;

    ItemObject(int value) {
      this.value = value;
    }

    @Override
    public int value() {
      return value;
    }
  }

  static final class HubObject extends UnicastRemoteObject implements Hub {
    private static final long serialVersionUID = 1;
    private final transient List<WeakReference<ItemObject>> items = new ArrayList<>();
    private transient Listener listener;

    HubObject() throws RemoteException {}

    @Override
    public String greet(String name, Listener told) throws IOException {
      return told.told("hello " + name, this);
    }

    @Override
    public void keep(Listener kept) {
      listener = kept;
    }

    @Override
    public Listener kept() {
      return listener;
    }

    @Override
    public synchronized Item newItem(int value) throws RemoteException {
      ItemObject item = new ItemObject(value);
      UnicastRemoteObject.exportObject(item, 0);
      items.add(new WeakReference<>(item));
      return item;
    }

    @Override
    public Bag bag(Bag content) throws RemoteException {
      Bag answer = new Bag();
      answer.list.addAll(content.list);
      answer.list.add(this);
      answer.array = new Remote[] {this, UnicastRemoteObject.toStub(this), newItem(77)};
      answer.first = content.first;
      return answer;
    }

    @Override
    public boolean isOwn(Hub hub) throws RemoteException {
      return hub.equals(UnicastRemoteObject.toStub(this)) || hub.isItemGone(-1);
    }

    @Override
    public synchronized boolean isItemGone(int value) {
      System.gc();
      boolean gone = true;
      for (WeakReference<ItemObject> each : items) {
        ItemObject item = each.get();
        gone &= item == null || item.value != value;
      }
      return gone;
    }

    @Override
    public synchronized boolean unexportItem(Item item, int value) throws RemoteException {
      for (WeakReference<ItemObject> each : items) {
        ItemObject own = each.get();
        if (own != null && own.value == value) {
          return UnicastRemoteObject.unexportObject(own, false);
        }
      }
      return false;
    }

    @Override
    public String host() {
      try {
        return RemoteServer.getClientHost();
      } catch (java.rmi.server.ServerNotActiveException e) {
        return "none";
      }
    }
  }

  /** Another server's object, of which the registry has only the stub. */
  private static HubObject hub;

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.createRegistry(port);
    hub = new HubObject();
    registry.bind("hub", hub);
    registry.bind("stub", UnicastRemoteObject.toStub(hub));
    observed.accept("bound " + registry.list().length);
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.getRegistry("localhost", port);
    Hub found = (Hub) registry.lookup("hub");
    observed.accept("one object: " + found.equals(registry.lookup("stub")));
    observed.accept("host: " + found.host());
    callBack(registry, found, observed);
    passBags(found, observed);
    forget(found, observed);
    observed.accept("own: " + found.isOwn(found));
    observed.accept("writes: " + Observe.outcomeOf(() -> registry.rebind("mine", found)));
    String[] names = registry.list();
    Arrays.sort(names);
    observed.accept("names: " + Arrays.toString(names));
    observed.accept("mine: " + ((Hub) registry.lookup("mine")).equals(found));
    observed.accept("unbound: " + Observe.outcome(() -> registry.lookup("none")));
    observed.accept("itself: " + Observe.outcomeOf(() -> registry.rebind("itself", registry)));
    observed.accept(
        "in itself: "
            + Observe.outcome(() -> ((Registry) registry.lookup("itself")).list().length));
  }

  private static void callBack(Registry registry, Hub hub, Consumer<String> observed)
      throws Exception {
    CountDownLatch told = new CountDownLatch(3);
    Listener listener =
        (what, by) -> {
          told.countDown();
          if (what.endsWith("trouble")) {
            throw new IOException(what);
          }
          return what + " " + by.isOwn(by);
        };
    Remote stub = UnicastRemoteObject.exportObject(listener, 0);
    observed.accept("callback: " + hub.greet("implementation", listener));
    observed.accept("callback: " + hub.greet("stub", (Listener) stub));
    observed.accept("callback: " + Observe.outcome(() -> hub.greet("trouble", listener)));
    observed.accept("told: " + told.await(30, TimeUnit.SECONDS));
    hub.keep(listener);
    Listener kept = hub.kept();
    observed.accept("kept: " + kept.told("myself", hub));
    registry.rebind("listener", listener);
    observed.accept("bound: " + ((Listener) registry.lookup("listener")).told("bound", hub));
    registry.unbind("listener");
    hub.keep(null);
    observed.accept("unexported: " + UnicastRemoteObject.unexportObject(listener, true));
    observed.accept("gone: " + Observe.outcome(() -> kept.told("nobody", hub)));
  }

  private static void passBags(Hub hub, Consumer<String> observed) throws Exception {
    Item item = hub.newItem(5);
    Bag bag = new Bag();
    bag.list.add(item);
    bag.list.add(hub);
    bag.first = item;
    Bag answer = hub.bag(bag);
    observed.accept("size: " + answer.list.size() + "+" + answer.array.length);
    observed.accept("item: " + ((Item) answer.list.get(0)).value());
    observed.accept("same item: " + answer.list.get(0).equals(item) + answer.first.equals(item));
    observed.accept("one reference: " + (answer.first == answer.list.get(0)));
    observed.accept("hub: " + answer.list.get(2).equals(hub) + answer.array[0].equals(hub));
    observed.accept("stub: " + answer.array[1].equals(hub));
    observed.accept("object and stub are one: " + (answer.array[0] == answer.array[1]));
    observed.accept("new item: " + ((Item) answer.array[2]).value());
    observed.accept("unexport: " + hub.unexportItem(item, 5));
    observed.accept("no item: " + Observe.outcome(item::value));
  }

  /** Objects live while this end refers to them, and no longer. */
  private static void forget(Hub hub, Consumer<String> observed) throws Exception {
    Item[] held = {hub.newItem(42)};
    for (int i = 0; i < 3; i++) {
      System.gc();
      observed.accept("held: " + hub.isItemGone(42) + " " + held[0].value());
    }
    held[0] = null;
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
    while (!hub.isItemGone(42) && System.nanoTime() < deadline) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(20);
    }
    observed.accept("forgotten: " + hub.isItemGone(42));
  }
}

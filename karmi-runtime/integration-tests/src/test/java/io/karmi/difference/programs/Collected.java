package io.karmi.difference.programs;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.rmi.MarshalledObject;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.rmi.server.Unreferenced;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** What is collected and when, and who is told. */
public final class Collected implements Program {
  /** An object that may be collected. */
  public interface Leaf extends Remote {
    int ping() throws RemoteException;
  }

  /** Makes leaves and watches them. */
  public interface Tree extends Remote {
    /** One that nothing but remote references keeps. */
    Leaf grow() throws RemoteException;

    /** One that the tree keeps, too; always the same. */
    Leaf branch() throws RemoteException;

    MarshalledObject<Leaf> pressed() throws RemoteException;

    /** Keeps a leaf of another node; null drops it. */
    void graft(Leaf foreign) throws RemoteException;

    int pingGraft() throws RemoteException;

    /** Collects garbage, and says how many leaves are left of those that were grown. */
    int left() throws RemoteException;

    /** What the branch was told. */
    List<String> told() throws RemoteException;
  }

  /** Counts how often it was pinged. */
  static class LeafObject implements Leaf {
    private int pings;

    @Override
    public synchronized int ping() {
      return ++pings;
    }
  }

  static final class Branch extends LeafObject implements Unreferenced {
    final List<String> told = new ArrayList<>();
    private final ClassLoader exporters = Thread.currentThread().getContextClassLoader();

    @Override
    public void unreferenced() {
      Thread thread = Thread.currentThread();
      synchronized (told) {
        told.add(
            "unreferenced, among the program's threads: "
                + thread.getThreadGroup().getName().equals("main")
                + ", daemon: "
                + thread.isDaemon()
                + ", loader of the export: "
                + (thread.getContextClassLoader() == exporters));
      }
    }
  }

  static final class TreeObject implements Tree {
    private final List<WeakReference<Leaf>> grown = new ArrayList<>();
    private final Branch branch = new Branch();
    private Leaf grafted;

    TreeObject() throws RemoteException {
      UnicastRemoteObject.exportObject(branch, 0);
    }

    @Override
    public Leaf grow() throws RemoteException {
      Leaf leaf = new LeafObject();
      UnicastRemoteObject.exportObject(leaf, 0);
      synchronized (grown) {
        grown.add(new WeakReference<>(leaf));
      }
      return leaf;
    }

    @Override
    public Leaf branch() {
      return branch;
    }

    @Override
    public MarshalledObject<Leaf> pressed() throws RemoteException {
      try {
        return new MarshalledObject<>((Leaf) UnicastRemoteObject.toStub(branch));
      } catch (java.io.IOException e) {
        throw new RemoteException("cannot press", e);
      }
    }

    @Override
    public synchronized void graft(Leaf foreign) {
      grafted = foreign;
    }

    @Override
    public synchronized int pingGraft() throws RemoteException {
      System.gc();
      return grafted.ping();
    }

    @Override
    public int left() {
      System.gc();
      synchronized (grown) {
        grown.removeIf(leaf -> leaf.get() == null);
        return grown.size();
      }
    }

    @Override
    public List<String> told() {
      synchronized (branch.told) {
        return new ArrayList<>(branch.told);
      }
    }
  }

  /** Between two looks at what is to be collected. */
  private static final int PAUSE_MILLIS = 20;

  /** Between two looks at what is held: each of them collects garbage at both ends. */
  private static final int HELD_PAUSE_MILLIS = 200;

  /** Static, so that no collector takes it. */
  private static TreeObject tree;

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    System.setProperty(
        "java.rmi.dgc.leaseValue", "8000"); // renewed after half of it, longer than a stall
    tree = new TreeObject();
    Registry registry = LocateRegistry.createRegistry(port);
    registry.bind("tree", UnicastRemoteObject.exportObject(tree, 0));
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    /* Leases of objects that are here are long: what is not cleaned stays. */
    Tree found = (Tree) LocateRegistry.getRegistry("localhost", port).lookup("tree");
    holdAndDrop(found, observed);
    observed.accept("dropped ones are collected: " + within(() -> found.left() == 0));
    branch(found.branch(), observed);
    observed.accept("told: " + within(() -> found.told().size() == 1) + found.told());
    branch(found.branch(), observed);
    observed.accept("told again: " + within(() -> found.told().size() == 2) + found.told());
    branch(found.pressed().get(), observed);
    observed.accept("told once more: " + within(() -> found.told().size() == 3) + found.told());
    WeakReference<Leaf> own = graft(found);
    observed.accept("held there, pinged: " + found.pingGraft() + " " + found.pingGraft());
    System.gc();
    observed.accept("not collected here: " + (own.get() != null));
    found.graft(null);
    observed.accept(
        "collected here: "
            + within(
                () -> {
                  found.left();
                  return own.get() == null;
                }));
  }

  /** Longer than a lease: what is held is there all the time, and nothing of it is told. */
  private static void holdAndDrop(Tree found, Consumer<String> observed) throws Exception {
    List<Leaf> held = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      held.add(found.grow());
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    boolean allThere = true;
    while (System.nanoTime() - end < 0) {
      System.gc();
      allThere &= found.left() == 20;
      for (Leaf leaf : held) {
        allThere &= leaf.ping() > 0;
      }
      TimeUnit.MILLISECONDS.sleep(HELD_PAUSE_MILLIS);
    }
    observed.accept("held ones stay: " + allThere);
    Reference.reachabilityFence(held);
  }

  private static void branch(Leaf branch, Consumer<String> observed) throws RemoteException {
    observed.accept("branch answers: " + (branch.ping() > 0));
  }

  private static WeakReference<Leaf> graft(Tree found) throws RemoteException {
    Leaf own = new LeafObject();
    found.graft((Leaf) UnicastRemoteObject.exportObject(own, 0));
    return new WeakReference<>(own);
  }

  private static boolean within(Callable<Boolean> condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.call()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      System.gc();
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
    return true;
  }
}

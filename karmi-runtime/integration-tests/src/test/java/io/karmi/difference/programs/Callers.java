package io.karmi.difference.programs;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.ExportException;
import java.rmi.server.RemoteServer;
import java.rmi.server.UnicastRemoteObject;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** What an object knows about the call that it executes, and what it may do meanwhile. */
public final class Callers implements Program {
  /** Asked about its call. */
  public interface Desk extends Remote {
    String context() throws RemoteException;

    String nested(Desk other) throws RemoteException;

    Registry registry() throws RemoteException;

    void unexportYourself(boolean force) throws RemoteException;

    boolean unexport() throws RemoteException;

    boolean isCallerInNameOfThread() throws RemoteException;

    void hold() throws RemoteException;

    void endHold() throws RemoteException;
  }

  static final class DeskObject implements Desk {
    private final ClassLoader exporters = Thread.currentThread().getContextClassLoader();
    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final String name;

    DeskObject(String name) {
      this.name = name;
    }

    @Override
    public String context() {
      Thread thread = Thread.currentThread();
      String host = Observe.outcome(RemoteServer::getClientHost);
      return name
          + " is called by "
          + host.replaceAll("^127\\..*", "this host")
          + ", loader of the export: "
          + (thread.getContextClassLoader() == exporters)
          + ", priority "
          + thread.getPriority();
    }

    @Override
    public String nested(Desk other) throws RemoteException {
      return context() + "; " + other.context() + "; " + context();
    }

    @Override
    public Registry registry() {
      return registry;
    }

    @Override
    public void unexportYourself(boolean force) throws RemoteException {
      UnicastRemoteObject.unexportObject(this, force);
    }

    @Override
    public boolean unexport() throws RemoteException {
      return UnicastRemoteObject.unexportObject(this, false);
    }

    @Override
    public boolean isCallerInNameOfThread() throws RemoteException {
      try {
        return Thread.currentThread().getName().contains(RemoteServer.getClientHost());
      } catch (java.rmi.server.ServerNotActiveException e) {
        throw new RemoteException("no call", e);
      }
    }

    @Override
    public void hold() throws RemoteException {
      held.countDown();
      try {
        ended.await();
      } catch (InterruptedException e) {
        throw new RemoteException("interrupted", e);
      }
    }

    @Override
    public void endHold() throws RemoteException {
      try {
        held.await();
        UnicastRemoteObject.unexportObject(this, true);
      } catch (InterruptedException e) {
        throw new RemoteException("interrupted", e);
      }
      ended.countDown();
    }
  }

  /** Static, so that no collector takes them. */
  private static DeskObject desk;

  private static Registry registry;

  private static DeskObject mortal;
  private static DeskObject holding;

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    registry = LocateRegistry.createRegistry(port);
    observed.accept("taken: " + Observe.outcome(() -> LocateRegistry.createRegistry(port)));
    int other;
    try (java.net.ServerSocket taken = new java.net.ServerSocket(0)) {
      other = taken.getLocalPort();
      observed.accept("busy: " + Observe.outcome(() -> LocateRegistry.createRegistry(other)));
    }
    Registry second = LocateRegistry.createRegistry(other);
    observed.accept("free: " + second.list().length);
    UnicastRemoteObject.unexportObject(second, true);
    observed.accept("again: " + createWhenFree(other).list().length);
    desk = new DeskObject("desk");
    registry.bind("desk", UnicastRemoteObject.exportObject(desk, 0));
    mortal = new DeskObject("mortal");
    registry.bind("mortal", UnicastRemoteObject.exportObject(mortal, 0));
    holding = new DeskObject("holding");
    registry.bind("holding", UnicastRemoteObject.exportObject(holding, 0));
  }

  /** A thread of stock RMI may listen for a moment after the last object of a port is gone. */
  private static Registry createWhenFree(int port) throws RemoteException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (true) {
      try {
        return LocateRegistry.createRegistry(port);
      } catch (ExportException e) {
        if (System.nanoTime() - deadline > 0) {
          throw e;
        }
        Thread.onSpinWait();
      }
    }
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    Registry found = LocateRegistry.getRegistry("localhost", port);
    Desk server = (Desk) found.lookup("desk");
    String context = server.context();
    observed.accept(context);
    observed.accept("by a registry that was a result: " + (server.registry().list().length > 0));
    observed.accept("context as before: " + server.context().equals(context));
    DeskObject own = new DeskObject("own");
    Desk stub = (Desk) UnicastRemoteObject.exportObject(own, 0);
    observed.accept(server.nested(own));
    observed.accept("after it: " + Observe.outcome(RemoteServer::getClientHost));
    observed.accept("who calls: " + server.isCallerInNameOfThread());
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    Thread.currentThread().setContextClassLoader(null);
    observed.accept(server.nested(stub));
    observed.accept("loader: " + Thread.currentThread().getContextClassLoader());
    Thread.currentThread().setContextClassLoader(before);
    Desk dying = (Desk) found.lookup("mortal");
    observed.accept("within its call: " + dying.unexport());
    observed.accept("alive: " + dying.context().startsWith("mortal"));
    observed.accept("forced: " + Observe.outcomeOf(() -> dying.unexportYourself(true)));
    observed.accept("dead: " + Observe.outcome(dying::context));
    forceWhileCalled((Desk) found.lookup("holding"), observed);
    UnicastRemoteObject.unexportObject(own, true);
  }

  private static void forceWhileCalled(Desk called, Consumer<String> observed) throws Exception {
    FutureTask<String> held = new FutureTask<>(() -> Observe.outcomeOf(called::hold));
    new Thread(held).start();
    observed.accept("forced: " + Observe.outcomeOf(called::endHold));
    observed.accept("held: " + held.get());
    observed.accept("no more: " + Observe.outcome(called::context));
  }
}

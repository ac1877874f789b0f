package io.karmi.difference.programs;

import java.io.Serializable;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** What must not be held after it was used: objects, arguments, class loaders. */
public final class Leaks implements Program {
  /** Keeps weak references to what it is given. */
  public interface Cloakroom extends Remote {
    void leave(Object argument) throws RemoteException;

    Object fetch() throws RemoteException;

    boolean isForgotten() throws RemoteException;
  }

  static final class Coat implements Serializable {
    private static final long serialVersionUID = 1;
    final byte[] lining = new byte[1000];
  }

  static final class CloakroomObject implements Cloakroom {
    private WeakReference<Object> left = new WeakReference<>(null);

    @Override
    public synchronized void leave(Object argument) {
      left = new WeakReference<>(argument);
    }

    @Override
    public synchronized Object fetch() {
      Coat coat = new Coat();
      left = new WeakReference<>(coat);
      return coat;
    }

    @Override
    public synchronized boolean isForgotten() {
      return forgotten(left);
    }
  }

  /** Static, so that no collector takes it. */
  private static Cloakroom cloakroom;

  private static boolean forgotten(WeakReference<?> reference) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(15);
    while (reference.get() != null && System.nanoTime() < deadline) {
      System.gc();
      Thread.onSpinWait();
    }
    return reference.get() == null;
  }

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    ClassLoader own = Thread.currentThread().getContextClassLoader();
    WeakReference<ClassLoader> loader = exportInContext();
    Thread.currentThread().setContextClassLoader(own);
    cloakroom = new CloakroomObject();
    Registry registry = LocateRegistry.createRegistry(port);
    registry.bind("cloakroom", UnicastRemoteObject.exportObject(cloakroom, 0));
    observed.accept("context loader forgotten: " + forgotten(loader));
    observed.accept("unexported object forgotten: " + forgotten(exportAndForget()));
    observed.accept("exported object forgotten: " + forgotten(exportOnly()));
  }

  private static WeakReference<ClassLoader> exportInContext() throws Exception {
    ClassLoader context = new URLClassLoader(new URL[0]);
    Thread.currentThread().setContextClassLoader(context);
    CloakroomObject object = new CloakroomObject();
    ((Cloakroom) UnicastRemoteObject.exportObject(object, 0)).leave("a string");
    UnicastRemoteObject.unexportObject(object, true);
    return new WeakReference<>(context);
  }

  private static WeakReference<Remote> exportAndForget() throws Exception {
    CloakroomObject object = new CloakroomObject();
    ((Cloakroom) UnicastRemoteObject.exportObject(object, 0)).leave("a string");
    UnicastRemoteObject.unexportObject(object, true);
    return new WeakReference<>(object);
  }

  private static WeakReference<Remote> exportOnly() throws Exception {
    CloakroomObject object = new CloakroomObject();
    UnicastRemoteObject.exportObject(object, 0);
    return new WeakReference<>(object);
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    Cloakroom found = (Cloakroom) LocateRegistry.getRegistry("localhost", port).lookup("cloakroom");
    observed.accept("argument forgotten by the caller: " + forgotten(leave(found)));
    observed.accept("argument forgotten by the callee: " + found.isForgotten());
    observed.accept("result forgotten by the caller: " + forgotten(fetch(found)));
    observed.accept("result forgotten by the callee: " + found.isForgotten());
    observed.accept(
        "argument forgotten after a failure: " + forgotten(fail(found)) + found.isForgotten());
  }

  private static WeakReference<Object> leave(Cloakroom found) throws RemoteException {
    Coat coat = new Coat();
    found.leave(coat);
    return new WeakReference<>(coat);
  }

  private static WeakReference<Object> fetch(Cloakroom found) throws RemoteException {
    return new WeakReference<>(found.fetch());
  }

  private static WeakReference<Object> fail(Cloakroom found) {
    Coat coat = new Coat();
    Observe.outcomeOf(() -> found.leave(new Object[] {coat, new Object()}));
    return new WeakReference<>(coat);
  }
}

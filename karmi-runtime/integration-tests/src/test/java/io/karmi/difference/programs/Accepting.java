package io.karmi.difference.programs;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.RMISocketFactory;
import java.rmi.server.UnicastRemoteObject;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.logging.LogManager;

/** A server whose own sockets fail to accept, in every way, before and between connections. */
public final class Accepting implements Program {
  /** Something to call. */
  public interface Door extends Remote {
    String open() throws RemoteException;

    /** What the program's own failure handler was told of, by class. */
    List<String> failures() throws RemoteException;
  }

  /** Throws something else each time before it accepts one. */
  static final class Stubborn extends ServerSocket {
    private final AtomicInteger attempts = new AtomicInteger();

    Stubborn(int port) throws IOException {
      super(port);
    }

    @Override
    public Socket accept() throws IOException {
      switch (attempts.getAndIncrement() % 5) {
        case 0:
          throw new SecurityException("refused on purpose");
        case 1:
          throw new IllegalStateException("failed on purpose");
        case 2:
          throw new IOException("broken on purpose");
        case 3:
          throw new NoClassDefFoundError("missing on purpose");
        default:
          return super.accept();
      }
    }
  }

  static final class Own extends RMISocketFactory {
    @Override
    public Socket createSocket(String host, int port) throws IOException {
      return new Socket(host, port);
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
      return new Stubborn(port);
    }
  }

  static final class DoorObject implements Door {
    private final List<String> failures = new CopyOnWriteArrayList<>();

    @Override
    public String open() {
      return "open";
    }

    @Override
    public List<String> failures() {
      return List.copyOf(new java.util.TreeSet<>(failures));
    }
  }

  private static final DoorObject DOOR = new DoorObject();

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    LogManager.getLogManager().reset(); // what is logged differs, and has times
    RMISocketFactory.setSocketFactory(new Own());
    RMISocketFactory.setFailureHandler(
        problem -> {
          Throwable reason = problem.getCause() == null ? problem : problem.getCause();
          DOOR.failures.add(problem.getClass().getName() + " of " + reason.getClass().getName());
          return true;
        });
    Registry registry = LocateRegistry.createRegistry(port);
    registry.rebind("door", UnicastRemoteObject.exportObject(DOOR, 0));
    observed.accept("ready");
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.getRegistry("localhost", port);
    Door door = (Door) registry.lookup("door");
    Thread[] callers = new Thread[8];
    AtomicInteger opened = new AtomicInteger();
    for (int i = 0; i < callers.length; i++) {
      callers[i] =
          new Thread(
              () -> {
                try {
                  door.open();
                  opened.incrementAndGet();
                } catch (RemoteException e) {
                  observed.accept("failed: " + e);
                }
              });
      callers[i].start();
    }
    for (Thread caller : callers) {
      caller.join();
    }
    observed.accept("opened: " + opened);
    observed.accept("failures: " + door.failures());
  }
}

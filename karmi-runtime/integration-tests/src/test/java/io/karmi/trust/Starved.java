package io.karmi.trust;

import io.karmi.kit.FreePort;
import io.karmi.reference.Node;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import io.karmi.technology.ServiceThread;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.rmi.server.Unreferenced;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A program of which one end holds a reference while it has no threads, or no memory, left. */
public final class Starved {
  private static final int MOST_THREADS = 5000;
  private static final int FUTURE_CALLS = 40;
  private static final int BLOCK_BYTES = 1 << 16;
  private static Registry registry;

  private Starved() {}

  /** Leads to an object that only its client keeps alive. */
  public interface Source extends Remote {
    /** Makes an object. */
    Held make() throws RemoteException;
  }

  /** Alive as long as it is held. */
  public interface Held extends Remote {
    /** Fails when the object is gone. */
    int ping() throws RemoteException;

    /** The same for callers that do not wait. */
    CompletableFuture<Integer> later() throws RemoteException;
  }

  private static final class MadeHeld implements Held, Unreferenced {
    @Override
    public int ping() {
      return 1;
    }

    @Override
    public CompletableFuture<Integer> later() {
      return CompletableFuture.completedFuture(1);
    }

    @Override
    public void unreferenced() {
      System.out.println("unreferenced");
    }
  }

  private static final class OnlySource implements Source {
    @Override
    public Held make() throws RemoteException {
      MadeHeld made = new MadeHeld();
      UnicastRemoteObject.exportObject(made, 0);
      return made;
    }
  }

  /**
   * Serves, or takes commands: {@code threads}, {@code memory}, {@code futures}, {@code ping},
   * {@code services}.
   */
  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("serve")) {
      serve();
      return;
    }
    Registry found = LocateRegistry.getRegistry("127.0.0.1", Integer.parseInt(arguments[1]));
    Held held = ((Source) found.lookup("source")).make();
    System.out.println("held " + held.ping());
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      System.out.println(execute(line, held));
    }
  }

  private static void serve() throws Exception {
    int port = FreePort.any();
    registry = LocateRegistry.createRegistry(port);
    OnlySource source = new OnlySource();
    UnicastRemoteObject.exportObject(source, 0);
    registry.rebind("source", source);
    System.out.println("port " + port);
    while (true) {
      System.gc();
      TimeUnit.MILLISECONDS.sleep(500);
    }
  }

  private static String execute(String command, Held held) throws Exception {
    switch (command) {
      case "ping":
        return ping(held);
      case "services":
        StringBuilder services = new StringBuilder("services");
        ServiceThread.states().forEach(state -> services.append(' ').append(state).append(';'));
        return services.toString();
      case "futures":
        return "futures " + callWithoutThreads(held);
      case "memory":
        return "starved " + takeMemory();
      default:
        return "starved " + takeThreads();
    }
  }

  private static String ping(Held held) {
    try {
      return "ping " + held.ping();
    } catch (RemoteException e) {
      return "ping " + e;
    }
  }

  /** Leaves no thread to be started for some seconds. */
  private static int takeThreads() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    int started = 0;
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(4000);
    while (System.nanoTime() - until < 0) {
      try {
        while (started < MOST_THREADS) {
          Thread thread = new Thread(() -> awaitQuietly(end));
          thread.setDaemon(true);
          thread.start();
          started++;
        }
        break;
      } catch (OutOfMemoryError e) {
        TimeUnit.MILLISECONDS.sleep(1); // takes those that become free meanwhile, too
      }
    }
    end.countDown();
    return started;
  }

  /**
   * Makes calls that return futures while no thread can be started.
   *
   * @return how many have not had their result, and how many connections are open then
   */
  private static String callWithoutThreads(Held held) {
    CountDownLatch end = new CountDownLatch(1);
    try {
      for (int started = 0; started < MOST_THREADS; started++) {
        Thread thread = new Thread(() -> awaitQuietly(end));
        thread.setDaemon(true);
        thread.start();
      }
      throw new IllegalStateException("there is no limit of threads");
    } catch (OutOfMemoryError e) {
      int failed = 0;
      for (int i = 0; i < FUTURE_CALLS; i++) {
        failed += isAnswered(held) ? 0 : 1;
      }
      return failed + " failed, " + connectionsOpened() + " connections";
    } finally {
      end.countDown();
    }
  }

  private static boolean isAnswered(Held held) {
    try {
      return held.later().get(60, TimeUnit.SECONDS) == 1;
    } catch (Exception e) {
      System.out.println("later " + e);
      return false;
    }
  }

  private static long connectionsOpened() {
    return Node.current().counters().entrySet().stream()
        .filter(counter -> counter.getKey().endsWith(".connectionsOpened"))
        .mapToLong(counter -> counter.getValue())
        .sum();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      // ends all the same
    }
  }

  /** Leaves no memory for some seconds. */
  private static int takeMemory() throws InterruptedException {
    List<byte[]> blocks = new ArrayList<>();
    int failures = 0;
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(4000);
    int size = BLOCK_BYTES;
    while (System.nanoTime() - until < 0) {
      try {
        while (true) {
          blocks.add(new byte[size]);
        }
      } catch (OutOfMemoryError e) {
        failures++;
        size = Math.max(16, size / 2);
      }
    }
    blocks.clear();
    return failures;
  }
}

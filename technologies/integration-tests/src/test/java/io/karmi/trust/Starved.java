package io.karmi.trust;

import io.karmi.contract.FreePort;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A program of which one end holds a reference while it has no threads, or no memory, left. */
public final class Starved {
  private static final int MOST_THREADS = 5000;
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
  }

  private static final class MadeHeld implements Held, Unreferenced {
    @Override
    public int ping() {
      return 1;
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

  /** Serves, or takes commands: {@code threads}, {@code memory}, {@code ping}, {@code services}. */
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

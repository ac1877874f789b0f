package io.karmi.operations;

import io.karmi.kit.Deadline;
import io.karmi.kit.FreePort;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.lang.management.ManagementFactory;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A program whose server returns futures, and completes them much later. */
public final class Promises {
  static final int MANY = 1000;

  private static final Keeper KEEPER = new Keeper();
  private static final Maker MAKER = new Maker();

  private Promises() {}

  /** Promises something, and counts how often it did. */
  public interface Promising extends Remote {
    /** The number. */
    CompletableFuture<Integer> number(int number) throws RemoteException;

    /** An object to which there has been no reference. */
    CompletableFuture<Keeping> object() throws RemoteException;

    /** An exception. */
    CompletableFuture<Integer> failure() throws RemoteException;

    /** Something that cannot be sent. */
    CompletableFuture<Object> unsendable() throws RemoteException;
  }

  /** Keeps promises. */
  public interface Keeping extends Remote {
    /** How many promises were made. */
    int made() throws RemoteException;

    /** How many threads wait inside the runtime for a promise. */
    int waiting() throws RemoteException;

    /** How many threads the JVM has. */
    int threads() throws RemoteException;

    /** Keeps all, in one thread. */
    void keep() throws RemoteException;

    /** Whether nothing of the promising object is running any more; unexports it then. */
    boolean end() throws RemoteException;
  }

  private static final class Maker implements Promising {
    final AtomicInteger made = new AtomicInteger();
    final CompletableFuture<Void> kept = new CompletableFuture<>();

    private <T> CompletableFuture<T> promise(Callable<T> outcome) {
      made.incrementAndGet();
      return kept.thenApply(
          nothing -> {
            try {
              return outcome.call();
            } catch (Exception e) {
              throw new java.util.concurrent.CompletionException(e);
            }
          });
    }

    @Override
    public CompletableFuture<Integer> number(int number) {
      return promise(() -> number);
    }

    @Override
    public CompletableFuture<Keeping> object() {
      return promise(
          () -> {
            Keeper fresh = new Keeper();
            UnicastRemoteObject.exportObject(fresh, 0);
            return fresh;
          });
    }

    @Override
    public CompletableFuture<Integer> failure() {
      return promise(
          () -> {
            throw new RemoteException("on purpose");
          });
    }

    @Override
    public CompletableFuture<Object> unsendable() {
      return promise(Object::new);
    }
  }

  private static final class Keeper implements Keeping {
    @Override
    public int made() {
      return MAKER.made.get();
    }

    @Override
    public int waiting() {
      int waiting = 0;
      for (StackTraceElement[] stack : Thread.getAllStackTraces().values()) {
        for (StackTraceElement frame : stack) {
          waiting += frame.getMethodName().equals("outcome") ? 1 : 0;
        }
      }
      return waiting;
    }

    @Override
    public int threads() {
      return ManagementFactory.getThreadMXBean().getThreadCount();
    }

    @Override
    public void keep() {
      new Thread(() -> MAKER.kept.complete(null)).start();
    }

    @Override
    public boolean end() throws RemoteException {
      return UnicastRemoteObject.unexportObject(MAKER, false);
    }
  }

  /** One end: {@code serve}, or {@code call <port> <what>}. */
  public static void main(String[] args) throws Exception {
    if (args[0].equals("serve")) {
      serve();
      return;
    }
    Registry registry = LocateRegistry.getRegistry("localhost", Integer.parseInt(args[1]));
    Promising promising = (Promising) registry.lookup("promising");
    Keeping keeping = (Keeping) registry.lookup("keeping");
    switch (args[2]) {
      case "many":
        many(promising, keeping);
        break;
      case "leave":
        promising.number(1);
        awaitSuspended(keeping, 1);
        print("left");
        Runtime.getRuntime().halt(0);
        break;
      case "after":
        keeping.keep();
        Deadline.await("the end of all calls", keeping::end);
        print("ended");
        break;
      default:
        outcomes(promising, keeping);
    }
  }

  private static void serve() throws Exception {
    UnicastRemoteObject.exportObject(KEEPER, 0);
    UnicastRemoteObject.exportObject(MAKER, 0);
    int port = FreePort.any();
    Registry registry = LocateRegistry.createRegistry(port);
    registry.bind("keeping", KEEPER);
    registry.bind("promising", MAKER);
    System.out.println("port " + port);
  }

  private static void many(Promising promising, Keeping keeping) throws Exception {
    List<CompletableFuture<Integer>> all = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      all.add(promising.number(i));
    }
    Deadline.await(
        "many promises and few threads",
        () -> keeping.made() == MANY && keeping.threads() < MANY / 10);
    keeping.keep();
    boolean inOrder = true;
    for (int i = 0; i < MANY; i++) {
      inOrder &= all.get(i).get(60, TimeUnit.SECONDS) == i;
    }
    print("each its own " + inOrder);
    print("made " + keeping.made());
  }

  private static void outcomes(Promising promising, Keeping keeping) throws Exception {
    CompletableFuture<Integer> number = promising.number(7);
    CompletableFuture<Keeping> object = promising.object();
    CompletableFuture<Integer> failure = promising.failure();
    CompletableFuture<Object> unsendable = promising.unsendable();
    awaitSuspended(keeping, 4);
    print("done " + (number.isDone() || failure.isDone()));
    print("may end " + keeping.end());
    keeping.keep();
    print("number " + number.get(60, TimeUnit.SECONDS));
    System.gc();
    print("object has made " + object.get(60, TimeUnit.SECONDS).made());
    print("failure " + thrown(failure));
    print("unsendable " + thrown(unsendable));
    print("at once " + promising.number(8).get(60, TimeUnit.SECONDS));
    Deadline.await(
        "the end of all calls", keeping::end); // the last reply may still be on its way out
    print("ended");
  }

  /** Waits until a number of promises were made, and no thread waits for one. */
  private static void awaitSuspended(Keeping keeping, int made) throws Exception {
    Deadline.await(
        "promises that hold no thread", () -> keeping.made() == made && keeping.waiting() == 0);
  }

  private static String thrown(CompletableFuture<?> future) throws Exception {
    try {
      return String.valueOf(future.get(60, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      StringBuilder text = new StringBuilder();
      for (Throwable each = e.getCause(); each != null; each = each.getCause()) {
        text.append(text.length() == 0 ? "" : " < ").append(each.getClass().getSimpleName());
      }
      return text.toString();
    }
  }

  private static void print(String line) {
    System.out.println(line);
  }
}

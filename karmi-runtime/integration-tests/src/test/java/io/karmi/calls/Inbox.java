package io.karmi.calls;

import io.karmi.Karmi;
import io.karmi.kit.FreePort;
import io.karmi.messaging.Address;
import io.karmi.messaging.Messaging;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.Serializable;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A node that takes messages, and ends when it is told. */
public final class Inbox {
  /** Leads to the node. */
  public interface Door extends Remote {
    /** Returns. */
    void knock() throws RemoteException;
  }

  /** One of many messages. */
  public record Note(int number) implements Serializable {}

  /** Is answered twice the number, after a time. */
  public record Later(int number, int millis) implements Serializable {}

  /** Its handler does not end. */
  public record Stuck() implements Serializable {}

  /** Asks for a request to another node. */
  public record Ask(Address whom) implements Serializable {}

  private static final class Open implements Door {
    @Override
    public void knock() {}
  }

  private static final int FLOWING = 2_000;
  private static final long HANDLING_NANOS = 20_000;

  /** Kept from the collector. */
  private static final Door DOOR = new Open();

  private static final AtomicInteger NOTES = new AtomicInteger();

  private Inbox() {}

  /** Serves until it is told to shut down, or is killed; {@code ask <port>} asks another one. */
  public static void main(String[] arguments) throws Exception {
    if (arguments.length > 0) {
      Remote door =
          LocateRegistry.getRegistry("127.0.0.1", Integer.parseInt(arguments[1])).lookup("door");
      Messaging asking = Messaging.ofThisNode();
      asking.send(new Note(1), Address.of(door));
      System.out.println("answered " + asking.request(new Later(4, 1), Address.of(door)).get());
      System.exit(0);
    }
    int port = FreePort.any();
    Registry registry = LocateRegistry.createRegistry(port);
    registry.bind("door", UnicastRemoteObject.exportObject(DOOR, port));
    Messaging messaging = Messaging.ofThisNode();
    messaging.receive(Note.class, (note, from) -> count());
    messaging.receive(Stuck.class, (stuck, from) -> stop());
    messaging.receive(Ask.class, (ask, from) -> ask(messaging, ask.whom()));
    messaging.answer(Later.class, (question, from) -> later(question));
    System.out.println("port " + port);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ");
      System.out.println("ends");
      boolean inTime = Karmi.shutdown(Duration.ofMillis(Long.parseLong(words[1])));
      System.out.println("in time " + inTime + " notes " + NOTES.get());
    }
  }

  private static void count() {
    LockSupport.parkNanos(HANDLING_NANOS);
    if (NOTES.incrementAndGet() == FLOWING) {
      System.out.println("flowing");
    }
  }

  private static void stop() throws InterruptedException {
    System.out.println("stuck");
    new CountDownLatch(1).await();
  }

  private static void ask(Messaging messaging, Address whom) {
    CompletableFuture<Integer> answer = messaging.request(new Later(4, 1_000), whom);
    answer.whenComplete(
        (result, problem) ->
            System.out.println("answered " + (problem == null ? result : problem.toString())));
    System.out.println("asks");
  }

  private static CompletableFuture<Integer> later(Later question) {
    System.out.println("asked");
    return CompletableFuture.supplyAsync(
        () -> 2 * question.number(),
        CompletableFuture.delayedExecutor(question.millis(), TimeUnit.MILLISECONDS));
  }
}

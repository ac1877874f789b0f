package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

import io.karmi.kit.Deadline;
import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.File;
import java.io.Serializable;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.Test;

/** A receiver's JVM that the operating system stops, and lets go on. */
public class StoppedReceiverTest {
  private static final int SENDERS = 4;
  private static final int EACH = 20_000;

  /** What the other JVM binds. */
  public interface Counter extends Remote {
    /** How many messages have come, and the sum of their numbers. */
    long[] countAndSum() throws RemoteException;
  }

  record Load(int number, byte[] bytes) implements Serializable {}

  @Test
  public void sendersWaitWhileTheReceiverIsStoppedAndAllArrivesAfterwards() throws Exception {
    assumeTrue("SIGSTOP is a signal of Unix", File.separatorChar == '/');
    try (Jvm jvm = Jvm.start(Main.class.getName())) {
      int port = Integer.parseInt(jvm.awaitLine("port "));
      Counter counter = (Counter) LocateRegistry.getRegistry("127.0.0.1", port).lookup("counter");
      Address to = Address.of(counter);
      Messaging messaging = Messaging.ofThisNode();
      messaging.send(new Load(0, new byte[0]), to);
      Deadline.await("the first message", () -> countAndSum(counter)[0] == 1);
      jvm.signal("STOP");
      AtomicLong sent = new AtomicLong();
      AtomicLong tried = new AtomicLong();
      ExecutorService threads = Executors.newFixedThreadPool(SENDERS);
      try {
        List<Future<?>> ends = new ArrayList<>();
        for (int i = 0; i < SENDERS; i++) {
          ends.add(threads.submit(() -> send(messaging, to, sent)));
        }
        Deadline.await("no room", () -> hasNoRoom(messaging, to, tried));
        assertThat(sent.get() + tried.get()).as("of 1 KB in a window of 512 KB").isLessThan(600);
        jvm.signal("CONT");
        for (Future<?> end : ends) {
          end.get(120, TimeUnit.SECONDS);
        }
      } finally {
        jvm.signal("CONT");
        threads.shutdownNow();
      }
      long count = 1 + tried.get() + SENDERS * EACH;
      Deadline.await("all messages", () -> countAndSum(counter)[0] == count);
      assertThat(countAndSum(counter)[1]).isEqualTo(SENDERS * (EACH * (EACH + 1L) / 2));
    }
  }

  @Test
  public void senderToAReceiverThatStaysStoppedIsToldAndRequestsFail() throws Exception {
    assumeTrue("SIGSTOP is a signal of Unix", File.separatorChar == '/');
    for (String way : List.of("tcp", "shm,tcp")) {
      try (Jvm receiver = Jvm.start("-Dkarmi.technologies=" + way, Main.class.getName())) {
        String port = receiver.awaitLine("port ");
        try (Jvm sender =
            Jvm.start(
                "-Dkarmi.technologies=" + way,
                "-Dkarmi.writeTimeout=4000",
                "-Dkarmi.keepAlive=4000",
                Sender.class.getName(),
                port)) {
          sender.awaitLine("sent");
          receiver.signal("STOP");
          assertThat(sender.ask("go", "send ")).contains("LinkLostException");
          assertThat(sender.awaitLine("request ")).contains("Exception");
        } finally {
          receiver.signal("CONT");
        }
      }
    }
  }

  /** A JVM that sends until that fails. */
  public static final class Sender {
    /** Says what has become of it. */
    public static void main(String[] arguments) throws Exception {
      int port = Integer.parseInt(arguments[0]);
      Counter counter = (Counter) LocateRegistry.getRegistry("127.0.0.1", port).lookup("counter");
      Address to = Address.of(counter);
      Messaging messaging = Messaging.ofThisNode();
      messaging.send(new Load(0, new byte[0]), to);
      System.out.println("sent");
      System.in.read();
      Future<?> request = messaging.request(new Load(1, new byte[0]), to);
      try {
        while (true) {
          messaging.send(new Load(1, new byte[1000]), to);
        }
      } catch (RemoteException e) {
        System.out.println("send " + e.getCause());
      }
      try {
        request.get();
      } catch (java.util.concurrent.ExecutionException e) {
        System.out.println("request " + e.getCause());
      }
    }
  }

  private static Void send(Messaging messaging, Address to, AtomicLong sent) throws Exception {
    for (int i = 1; i <= EACH; i++) {
      messaging.send(new Load(i, new byte[1000]), to);
      sent.incrementAndGet();
    }
    return null;
  }

  /** Also if it has been tried while others held all lanes: then none has room. */
  private static boolean hasNoRoom(Messaging messaging, Address to, AtomicLong tried) {
    try {
      boolean done = messaging.trySend(new Load(0, new byte[1000]), to);
      tried.addAndGet(done ? 1 : 0);
      return !done && messaging.counters().get("messagesSent") > 400;
    } catch (RemoteException e) {
      throw new AssertionError(e);
    }
  }

  private static long[] countAndSum(Counter counter) {
    try {
      return counter.countAndSum();
    } catch (RemoteException e) {
      throw new AssertionError(e);
    }
  }

  /** The other JVM. */
  public static final class Main implements Counter {
    private long count;
    private long sum;

    /** Serves until it is killed. */
    public static void main(String[] arguments) throws Exception {
      Main here = new Main();
      Messaging.ofThisNode().receive(Load.class, (message, from) -> here.add(message.number()));
      int port = FreePort.any();
      Registry registry = LocateRegistry.createRegistry(port);
      registry.rebind("counter", UnicastRemoteObject.exportObject(here, 0));
      System.out.println("port " + port);
      System.in.read();
    }

    private synchronized void add(int number) {
      count++;
      sum += number;
    }

    @Override
    public synchronized long[] countAndSum() {
      return new long[] {count, sum};
    }
  }
}

package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.kit.Deadline;
import io.karmi.kit.FreePort;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.junit.Test;

/** Messages between two JVMs that find each other by an RMI registry, over each technology. */
public class TwoJvmsTest {
  private Process other;

  /** What the other JVM binds. */
  public interface Here extends Remote {
    /** The sum of the numbers that have come in messages. */
    long sum() throws RemoteException;
  }

  record Add(int number) implements Serializable {}

  record Twice(int number) implements Serializable {}

  record Forever() implements Serializable {}

  record CallMe(Here object) implements Serializable {}

  record AddOf(Here object) implements Serializable {}

  @After
  public void endOther() throws Exception {
    if (other != null) {
      other.destroyForcibly().waitFor();
    }
  }

  @Test
  public void messagesRequestsStubsAndLossOverSharedMemory() throws Exception {
    messagesRequestsStubsAndLoss("tcp,shm");
  }

  @Test
  public void messagesRequestsStubsAndLossOverUnixSockets() throws Exception {
    messagesRequestsStubsAndLoss("tcp,uds");
  }

  @Test
  public void messagesRequestsStubsAndLossOverTcp() throws Exception {
    messagesRequestsStubsAndLoss("tcp");
  }

  private void messagesRequestsStubsAndLoss(String technologies) throws Exception {
    int port = startOther(technologies);
    Here here = (Here) LocateRegistry.getRegistry("127.0.0.1", port).lookup("here");
    Messaging messaging = Messaging.ofThisNode();
    Address to = Address.of(here);
    CountDownLatch lost = new CountDownLatch(1);
    AtomicInteger losses = new AtomicInteger();
    Registration listener =
        messaging.onLost(
            address -> {
              losses.incrementAndGet();
              lost.countDown();
            });
    try {
      for (int i = 1; i <= 10_000; i++) {
        messaging.send(new Add(i), to);
      }
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (here.sum() != 50_005_000L) {
        assertThat(System.nanoTime() - end).isNegative();
      }
      messaging.send(new AddOf(new Seven()), to, to);
      Deadline.await("both have called", () -> here.sum() == 50_005_014L);
      CompletableFuture<Integer> answer = messaging.request(new Twice(21), to);
      assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo(42);
      CompletableFuture<Long> called = messaging.request(new CallMe(new Seven()), to);
      assertThat(called.get(30, TimeUnit.SECONDS)).isEqualTo(7);
      CompletableFuture<Object> pending = messaging.request(new Forever(), to);
      other.destroyForcibly();
      assertThatThrownBy(() -> pending.get(30, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(RemoteException.class);
      assertThat(lost.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(losses.get()).isEqualTo(1);
    } finally {
      listener.close();
    }
  }

  /** An object that is called from the other JVM. */
  private static final class Seven implements Here {
    Seven() throws RemoteException {
      UnicastRemoteObject.exportObject(this, 0);
    }

    @Override
    public long sum() {
      return 7;
    }
  }

  private int startOther(String technologies) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Dkarmi.technologies=" + technologies,
                "-Djava.rmi.server.hostname=127.0.0.1",
                Other.class.getName()));
    other = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader out =
        new BufferedReader(
            new InputStreamReader(other.getInputStream(), StandardCharsets.US_ASCII));
    String line = out.readLine();
    assertThat(line).as("the port of the registry").isNotNull();
    return Integer.parseInt(line);
  }

  /** The other JVM. */
  public static final class Other implements Here {
    private long sum;

    /** Serves until it is killed. */
    public static void main(String[] arguments) throws Exception {
      Other here = new Other();
      Messaging messaging = Messaging.ofThisNode();
      messaging.receive(Add.class, (message, from) -> here.add(message.number()));
      messaging.receive(AddOf.class, (message, from) -> here.add((int) message.object().sum()));
      messaging.answer(Twice.class, (question, from) -> 2 * question.number());
      messaging.answer(Forever.class, (question, from) -> new CompletableFuture<>());
      messaging.answer(CallMe.class, (question, from) -> question.object().sum());
      int port = FreePort.any();
      java.rmi.registry.Registry registry = LocateRegistry.createRegistry(port);
      registry.rebind("here", UnicastRemoteObject.exportObject(here, 0));
      System.out.println(port);
      System.out.flush();
      System.in.read();
    }

    private synchronized void add(int number) {
      sum += number;
    }

    @Override
    public synchronized long sum() {
      return sum;
    }
  }
}

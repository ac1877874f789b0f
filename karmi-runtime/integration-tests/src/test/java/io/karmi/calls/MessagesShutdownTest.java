package io.karmi.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.calls.Inbox.Ask;
import io.karmi.calls.Inbox.Later;
import io.karmi.calls.Inbox.Note;
import io.karmi.calls.Inbox.Stuck;
import io.karmi.kit.Jvm;
import io.karmi.messaging.Address;
import io.karmi.messaging.Messaging;
import io.karmi.messaging.Registration;
import io.karmi.rmi.LocateRegistry;
import java.rmi.ConnectException;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.junit.Test;

/** A node that ends in good order while another one sends it messages. */
public class MessagesShutdownTest {
  private static final long SECONDS = 90;
  private static final int SENDERS = 4;

  private final Messaging messaging = Messaging.ofThisNode();
  private final List<AutoCloseable> open = new ArrayList<>();
  private Jvm inbox;

  @After
  public void end() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  private Address start(String... technologies) throws Exception {
    inbox =
        technologies.length == 0
            ? Jvm.start(Inbox.class.getName())
            : Jvm.start("-Dkarmi.technologies=" + technologies[0], Inbox.class.getName());
    open.add(inbox);
    int port = Integer.parseInt(inbox.awaitLine("port "));
    return Address.of(LocateRegistry.getRegistry("127.0.0.1", port).lookup("door"));
  }

  @Test
  public void everyMessageThatWasTakenArrivesOverTcp() throws Exception {
    everyMessageThatWasTakenArrives("tcp");
  }

  @Test
  public void everyMessageThatWasTakenArrivesOverUnixSockets() throws Exception {
    everyMessageThatWasTakenArrives("tcp,uds");
  }

  @Test
  public void everyMessageThatWasTakenArrivesOverSharedMemory() throws Exception {
    everyMessageThatWasTakenArrives("tcp,shm");
  }

  private void everyMessageThatWasTakenArrives(String technologies) throws Exception {
    Address to = start(technologies);
    AtomicInteger lost = new AtomicInteger();
    Registration listener = messaging.onLost(address -> lost.incrementAndGet());
    open.add(listener::close);
    AtomicInteger sent = new AtomicInteger();
    List<FutureTask<RemoteException>> senders = new ArrayList<>();
    for (int i = 0; i < SENDERS; i++) {
      FutureTask<RemoteException> sender = new FutureTask<>(() -> sendUntilRefused(to, sent));
      senders.add(sender);
      new Thread(sender, "sender " + i).start();
    }
    inbox.awaitLine("flowing");
    inbox.tell("shutdown 60000");
    for (FutureTask<RemoteException> each : senders) {
      assertThat(each.get(SECONDS, TimeUnit.SECONDS)).isInstanceOf(ConnectException.class);
    }
    assertThat(inbox.awaitLine("in time ")).isEqualTo("true notes " + sent.get());
    assertThat(lost.get()).as("nothing was lost").isZero();
    assertThatThrownBy(() -> messaging.send(new Note(0), to)).isInstanceOf(RemoteException.class);
  }

  private RemoteException sendUntilRefused(Address to, AtomicInteger sent) {
    try {
      while (true) {
        messaging.send(new Note(sent.get()), to);
        sent.incrementAndGet();
      }
    } catch (RemoteException e) {
      return e;
    }
  }

  @Test
  public void requestsUnderWayAreAnsweredInBothDirections() throws Exception {
    Address to = start();
    messaging.answer(
        Later.class,
        (question, from) ->
            CompletableFuture.supplyAsync(
                () -> 10 * question.number(),
                CompletableFuture.delayedExecutor(question.millis(), TimeUnit.MILLISECONDS)));
    List<CompletableFuture<Integer>> answers = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      answers.add(messaging.request(new Later(i, 1_500), to));
      inbox.awaitLine("asked");
    }
    messaging.send(new Ask(messaging.address()), to);
    inbox.awaitLine("asks");
    inbox.tell("shutdown 60000");
    for (int i = 0; i < answers.size(); i++) {
      assertThat(answers.get(i).get(SECONDS, TimeUnit.SECONDS)).isEqualTo(2 * i);
    }
    assertThat(inbox.awaitLine("answered ")).isEqualTo("40");
    assertThat(inbox.awaitLine("in time ")).isEqualTo("true notes 0");
    CompletableFuture<Integer> late = messaging.request(new Later(1, 0), to);
    assertThatThrownBy(() -> late.get(SECONDS, TimeUnit.SECONDS))
        .hasCauseInstanceOf(RemoteException.class);
  }

  @Test
  public void handlerThatDoesNotEndIsCutOffAtTheLimitAndTheSenderLearnsOfIt() throws Exception {
    Address to = start();
    CountDownLatch lost = new CountDownLatch(1);
    Registration listener = messaging.onLost(address -> lost.countDown());
    open.add(listener::close);
    CompletableFuture<Integer> pending = messaging.request(new Later(1, 600_000), to);
    inbox.awaitLine("asked");
    messaging.send(new Stuck(), to);
    inbox.awaitLine("stuck");
    inbox.tell("shutdown 1000");
    assertThat(inbox.awaitLine("in time ")).startsWith("false");
    assertThatThrownBy(() -> pending.get(SECONDS, TimeUnit.SECONDS))
        .hasCauseInstanceOf(RemoteException.class);
    assertThat(lost.await(SECONDS, TimeUnit.SECONDS)).as("the loss is told").isTrue();
  }
}

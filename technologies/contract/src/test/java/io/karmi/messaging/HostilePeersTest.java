package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.contract.LoopbackTechnology;
import io.karmi.guard.Ledger;
import io.karmi.guard.Ledgers;
import io.karmi.kit.Deadline;
import io.karmi.messaging.frame.ArrayPool;
import io.karmi.messaging.frame.MessageFrame;
import io.karmi.settings.Settings;
import io.karmi.technology.Pipe;
import io.karmi.technology.Pipes;
import io.karmi.technology.RuntimeThread;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.rmi.AccessException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.junit.Test;

/** Peers that break the rules of messages, or use them against others. */
public class HostilePeersTest {
  private static final int HANDLERS = 4;

  private final List<TestHost> hosts = new ArrayList<>();
  private final List<Pipe> pipes = new ArrayList<>();
  private final TestHost a = host(Map.of());
  private final TestHost b = host(Map.of());

  @After
  public void close() {
    pipes.forEach(Pipe::close);
    hosts.forEach(host -> host.messaging.close());
  }

  private TestHost host(Map<String, String> properties) {
    TestHost made = new TestHost(properties);
    hosts.add(made);
    return made;
  }

  record Secret(String text) implements Serializable {}

  record Question(int number) implements Serializable {}

  /** Counts how often it is read. */
  static final class Loud implements Serializable {
    private static final long serialVersionUID = 1;
    static final AtomicInteger READ = new AtomicInteger();

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      READ.incrementAndGet();
    }
  }

  @Test
  public void nodeThatTakesTheNameOfAnotherOneGetsNoneOfItsMessages() throws Exception {
    Queue<String> stolen = new ConcurrentLinkedQueue<>();
    Queue<String> received = new ConcurrentLinkedQueue<>();
    TestHost impostor = new TestHost(Map.of(), LoopbackTechnology::new, b.node());
    hosts.add(impostor);
    impostor.messaging.receive(Secret.class, (secret, from) -> stolen.add(secret.text()));
    b.messaging.receive(Secret.class, (secret, from) -> received.add(secret.text()));
    AtomicInteger asked = new AtomicInteger();
    a.messaging.receive(Question.class, (question, from) -> asked.incrementAndGet());
    impostor.messaging.send(new Question(1), a.messaging.address());
    Deadline.await("the request", () -> asked.get() == 1);
    a.messaging.send(new Secret("for b alone"), b.messaging.address());
    Deadline.await("the message, anywhere", () -> received.size() + stolen.size() == 1);
    assertThat(received).containsExactly("for b alone");
    assertThat(stolen).isEmpty();
  }

  @Test
  public void senderIsAnsweredOverItsOwnLink() throws Exception {
    Queue<String> received = new ConcurrentLinkedQueue<>();
    a.messaging.receive(Secret.class, (secret, from) -> received.add(secret.text()));
    b.messaging.receive(
        Question.class, (question, from) -> b.messaging.send(new Secret("to you"), from));
    a.messaging.send(new Question(1), b.messaging.address());
    Deadline.await("the message", () -> received.size() == 1);
    assertThat(a.messaging.counters()).containsEntry("linksOpened", 1L);
  }

  @Test
  public void lossOfAnImpostorSuppressesNoLoss() throws Exception {
    AtomicInteger lost = new AtomicInteger();
    a.messaging.onLost(address -> lost.incrementAndGet());
    AtomicInteger seen = new AtomicInteger();
    a.messaging.receive(Question.class, (question, from) -> seen.incrementAndGet());
    b.messaging.receive(Question.class, (question, from) -> seen.incrementAndGet());
    a.messaging.send(new Question(1), b.messaging.address());
    TestHost impostor = new TestHost(Map.of(), LoopbackTechnology::new, b.node());
    hosts.add(impostor);
    impostor.messaging.send(new Question(2), a.messaging.address());
    Deadline.await("both messages", () -> seen.get() == 2);
    b.breakPipes();
    Deadline.await("the lost link", () -> lost.get() == 1);
    a.breakPipes();
    Deadline.await("the end of the link", () -> a.openLinks() == 0);
    assertThat(lost.get()).as("told once").isEqualTo(1);
  }

  @Test
  public void refusedMessagesAndRequestsAreNotRead() throws Exception {
    Queue<String> received = new ConcurrentLinkedQueue<>();
    b.messaging.receive(Loud.class, (loud, from) -> received.add("loud"));
    b.messaging.answer(Question.class, (question, from) -> question.number());
    b.messaging.answer(Loud.class, (loud, from) -> "read");
    b.messaging.receive(Secret.class, (secret, from) -> received.add(secret.text()));
    Loud.READ.set(0);
    b.authorizer = (from, request) -> false;
    Address to = b.messaging.address();
    for (int i = 0; i < 10; i++) {
      a.messaging.send(new Loud(), to);
      a.messaging.sendOrdered(new Loud(), to);
      CompletableFuture<Object> answer = a.messaging.request(new Loud(), to);
      assertThatThrownBy(() -> answer.get(30, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(AccessException.class)
          .hasMessageContaining("not from " + a.node());
    }
    Deadline.await("all refusals", () -> b.messaging.counters().get("messagesRefused") == 30);
    assertThat(Loud.READ).hasValue(0);
    b.authorizer = (from, request) -> from.remote().equals(a.node());
    a.messaging.sendOrdered(new Loud(), to);
    a.messaging.send(new Secret("read"), to);
    CompletableFuture<Integer> answer = a.messaging.request(new Question(7), to);
    assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo(7);
    Deadline.await("both messages", () -> received.size() == 2);
    assertThat(Loud.READ).hasValue(1);
  }

  @Test
  public void handlersKnowTheSenderWhileTheyRun() throws Exception {
    Queue<Object> seen = new ConcurrentLinkedQueue<>();
    b.messaging.answer(
        Question.class,
        (question, from) -> {
          Pipe sender = RuntimeThread.sender();
          seen.add(sender == null ? "nobody" : sender.remote());
          return 1;
        });
    CompletableFuture<Integer> answer = a.messaging.request(new Question(1), b.messaging.address());
    assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo(1);
    assertThat(seen).containsExactly(a.node());
    assertThat(RuntimeThread.sender()).isNull();
  }

  /** Speaks to a node without a runtime that keeps to the rules. */
  private final class Raw {
    final Pipe pipe;
    final OutLane lane;

    Raw(TestHost to) throws Exception {
      Address address = to.messaging.address();
      pipe =
          ((Pipes) a.technology())
              .open(to.node(), address.object().technology(0), address.object().number());
      pipes.add(pipe);
      lane =
          new OutLane(
              1,
              pipe,
              a.translation(),
              new ArrayPool(),
              Ledgers.tables().open(() -> null, 0, reason -> false));
    }

    void send(Object object, int kind, long number, boolean goesOn) throws IOException {
      lane.lock.lock();
      try {
        lane.marshal(object, kind, number, null);
        int body = lane.buffer.position - MessageFrame.HEADER_BYTES;
        int flags = goesOn ? MessageFrame.MORE : 0;
        int length = lane.frame(MessageFrame.HEADER_BYTES, body, kind | flags);
        pipe.send(lane.buffer.bytes, 0, length);
        lane.sent(length);
      } finally {
        lane.lock.unlock();
      }
    }
  }

  @Test
  public void answersThatWereNotAskedForAreNotRead() throws Exception {
    Queue<Integer> asked = new ConcurrentLinkedQueue<>();
    b.messaging.receive(Question.class, (question, from) -> asked.add(question.number()));
    b.authorizer = (from, request) -> true;
    Loud.READ.set(0);
    Raw raw = new Raw(b);
    for (int i = 0; i < 20; i++) {
      raw.send(new Loud(), MessageFrame.ANSWER, i, false);
      raw.send(new Loud(), MessageFrame.FAILURE, i, false);
    }
    raw.send(new Question(3), MessageFrame.MESSAGE, 0, false);
    Deadline.await("the request", () -> asked.size() == 1);
    assertThat(asked).containsExactly(3);
    assertThat(Loud.READ).hasValue(0);
  }

  @Test
  public void peerThatTakesNoAnswersDoesNotKeepTheHandlers() throws Exception {
    TestHost served =
        host(
            Map.of(
                "karmi.writeTimeout",
                "1000",
                "karmi.messaging.window",
                "4096",
                Settings.HANDLERS.name(),
                String.valueOf(HANDLERS),
                Settings.MAX_HANDLERS.name(),
                String.valueOf(HANDLERS)));
    served.messaging.answer(Question.class, (question, from) -> new byte[2000]);
    Raw raw = new Raw(served);
    try {
      for (int i = 0; i < 40; i++) {
        raw.send(new Question(i), MessageFrame.REQUEST, i, false);
      }
    } catch (IOException e) {
      assertThat(served.messaging.counters().get("messagesReceived"))
          .as("before its link was lost, on a slow machine: " + e)
          .isGreaterThanOrEqualTo(HANDLERS);
    }
    Deadline.await(
        "a message for each handler",
        () -> served.messaging.counters().get("messagesReceived") >= HANDLERS);
    CompletableFuture<byte[]> answer =
        a.messaging.request(new Question(1), served.messaging.address());
    assertThat(answer.get(60, TimeUnit.SECONDS)).hasSize(2000);
    Deadline.await("the lost link", () -> served.messaging.counters().get("linksLost") == 1);
  }

  @Test
  public void messageThatDoesNotGoOnEndsItsLink() throws Exception {
    TestHost hasty = host(Map.of("karmi.messageTimeout", "300", "karmi.idleTimeout", "600000"));
    Raw raw = new Raw(hasty);
    raw.send(new Question(1), MessageFrame.MESSAGE, 0, true);
    Deadline.await("the lost link", () -> hasty.messaging.counters().get("linksLost") == 1);
    assertThat(hasty.openLinks()).isZero();
  }

  @Test
  public void idleLinkEndsThoughItsOtherEndSaysNoGoodbye() throws Exception {
    TestHost hasty = host(Map.of("karmi.writeTimeout", "300", "karmi.idleTimeout", "100"));
    AtomicInteger asked = new AtomicInteger();
    hasty.messaging.receive(Question.class, (question, from) -> asked.incrementAndGet());
    boolean sent = false;
    while (!sent) {
      try {
        new Raw(hasty).send(new Question(1), MessageFrame.MESSAGE, 0, false);
        sent = true;
      } catch (IOException e) {
        assertThat(e).as("it was idle before, on a slow machine").hasMessageContaining("closed");
      }
    }
    Deadline.await("the request", () -> asked.get() == 1);
    Deadline.await("the end of idle links", () -> hasty.openLinks() == 0);
  }

  @Test
  public void linksOfOthersAreBounded() throws Exception {
    TestHost small = host(Map.of(Settings.MAX_ACCEPTED_LINKS.name(), "3"));
    AtomicInteger asked = new AtomicInteger();
    small.messaging.receive(Question.class, (question, from) -> asked.incrementAndGet());
    for (int i = 0; i < 10; i++) {
      new Raw(small);
    }
    assertThat(small.openLinks()).isLessThanOrEqualTo(3);
    Deadline.await("one that nothing was done with gives way", () -> isHeard(small, asked));
    assertThat(small.openLinks()).isLessThanOrEqualTo(3);
    pipes.forEach(Pipe::close);
    Deadline.await("the end of the link", () -> small.openLinks() == 0);
    new Raw(small);
    Deadline.await("places are given back", () -> small.openLinks() == 1); // places are given back
  }

  @Test
  public void newcomerWaitsUntilALinkIsUsedNoMore() throws Exception {
    TestHost small = host(Map.of(Settings.MAX_ACCEPTED_LINKS.name(), "1"));
    CountDownLatch used = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    AtomicInteger told = new AtomicInteger();
    small.messaging.receive(Question.class, (question, from) -> told.incrementAndGet());
    small.messaging.answer(
        Question.class,
        (question, from) -> {
          used.countDown();
          await(over);
          return 1;
        });
    new Raw(small).send(new Question(1), MessageFrame.REQUEST, 1, false);
    await(used);
    CompletableFuture<Raw> newcomer = CompletableFuture.supplyAsync(() -> opened(small));
    Deadline.await("the newcomer waits", HostilePeersTest::isWaitingForAPlace);
    over.countDown();
    newcomer.get(60, TimeUnit.SECONDS).send(new Question(2), MessageFrame.MESSAGE, 0, false);
    Deadline.await("the newcomer", () -> told.get() == 1);
  }

  private Raw opened(TestHost host) {
    try {
      return new Raw(host);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static boolean isWaitingForAPlace() {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Arrays::stream)
        .anyMatch(
            frame ->
                frame.getClassName().equals(LinkOpener.class.getName())
                    && frame.getMethodName().equals("enter"));
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private boolean isHeard(TestHost host, AtomicInteger asked) throws Exception {
    try {
      new Raw(host).send(new Question(1), MessageFrame.MESSAGE, 0, false);
    } catch (IOException e) {
      return false;
    }
    return asked.get() > 0;
  }

  @Test
  public void linksOfOthersTakeNoMoreThanAQuarterOfTheHeapUnlessAskedFor() {
    long heap = Runtime.getRuntime().maxMemory();
    int ring = (int) Math.min(1 << 30, Long.highestOneBit(heap / 64));
    MessagingSettings large =
        new MessagingSettings(Map.of(Settings.RING.name(), String.valueOf(ring))::get);
    assertThat((long) large.maximumAccepted * large.ringBytes).isLessThanOrEqualTo(heap / 4);
    MessagingSettings largest =
        new MessagingSettings(Map.of(Settings.RING.name(), String.valueOf(1 << 30))::get);
    assertThat(largest.maximumAccepted).isBetween(8, 100);
  }

  @Test
  public void oneHostCannotTakeAllPlacesOfLinks() {
    LinkTable links = new LinkTable(16);
    int taken = 0;
    while (links.enter("tcp greedy") == Ledger.Outcome.TAKEN) {
      taken++;
    }
    assertThat(taken).isEqualTo(14);
    assertThat(links.enter("tcp other")).isEqualTo(Ledger.Outcome.TAKEN);
    assertThat(links.enter("uds other")).isEqualTo(Ledger.Outcome.TAKEN);
    assertThat(links.enter("shm other")).isEqualTo(Ledger.Outcome.ALL_IS_FULL);
    links.leave("tcp greedy");
    links.leave("uds other");
    assertThat(links.enter("tcp greedy")).isEqualTo(Ledger.Outcome.TAKEN);
    assertThat(links.enter("tcp greedy")).isEqualTo(Ledger.Outcome.HOST_IS_FULL);
  }
}

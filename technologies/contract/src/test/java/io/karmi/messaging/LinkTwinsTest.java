package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.contract.LoopbackTechnology;
import io.karmi.kit.Deadline;
import java.io.Serializable;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** Nodes that have opened a link to each other keep one of the two. */
public class LinkTwinsTest {
  private static final int NODES = 12;
  private static final int ORDERED = 3_000;

  @Rule public final Timeout limit = Timeout.seconds(120);

  private final List<TestHost> hosts = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @After
  public void close() {
    threads.shutdownNow();
    hosts.forEach(host -> host.messaging.close());
  }

  private TestHost host() {
    TestHost made = new TestHost(Map.of("karmi.idleTimeout", "600000")); // none is closed meanwhile
    hosts.add(made);
    return made;
  }

  record Numbered(int number) implements Serializable {}

  record Question(int number) implements Serializable {}

  @Test
  public void nodesThatAllSendToAllOthersAtOnceKeepOneLinkForEachPair() throws Exception {
    AtomicInteger received = new AtomicInteger();
    AtomicInteger lost = new AtomicInteger();
    for (int i = 0; i < NODES; i++) {
      TestHost each = host();
      each.messaging.receive(Numbered.class, (message, from) -> received.incrementAndGet());
      each.messaging.onLost(address -> lost.incrementAndGet());
    }
    sendAllToAll();
    Deadline.await("the messages", () -> received.get() == NODES * (NODES - 1));
    Deadline.await("one link for each pair", this::isOneLinkForEachPair);
    sendAllToAll();
    Deadline.await("messages over them", () -> received.get() == 2 * NODES * (NODES - 1));
    assertThat(isOneLinkForEachPair()).as("no other link was opened").isTrue();
    assertThat(lost.get()).isZero();
  }

  private boolean isOneLinkForEachPair() {
    return hosts.stream().allMatch(host -> host.openLinks() == NODES - 1);
  }

  private void sendAllToAll() throws Exception {
    List<Future<?>> ends = new ArrayList<>();
    CountDownLatch go = new CountDownLatch(NODES);
    for (TestHost each : hosts) {
      ends.add(
          threads.submit(
              () -> {
                go.countDown();
                go.await();
                for (TestHost other : hosts) {
                  if (other != each) {
                    each.messaging.send(new Numbered(0), other.messaging.address());
                  }
                }
                return null;
              }));
    }
    for (Future<?> end : ends) {
      end.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  public void orderIsKeptWhenALinkIsLeftForTheOther() throws Exception {
    TestHost a = host();
    TestHost b = host();
    Queue<Integer> atA = new ConcurrentLinkedQueue<>();
    Queue<Integer> atB = new ConcurrentLinkedQueue<>();
    a.messaging.receive(Numbered.class, (message, from) -> atA.add(message.number()));
    b.messaging.receive(Numbered.class, (message, from) -> atB.add(message.number()));
    AtomicInteger ends = new AtomicInteger();
    threads.submit(() -> sendInOrder(a, b.messaging.address(), ends));
    threads.submit(() -> sendInOrder(b, a.messaging.address(), ends));
    Deadline.await("both have sent all", () -> ends.get() == 2);
    Deadline.await("all messages", () -> atA.size() == ORDERED && atB.size() == ORDERED);
    assertThat(List.copyOf(atA)).isSorted().doesNotHaveDuplicates();
    assertThat(List.copyOf(atB)).isSorted().doesNotHaveDuplicates();
    Deadline.await("one link", () -> a.openLinks() == 1 && b.openLinks() == 1);
  }

  /** In bursts, between which a link may be left. */
  private static Void sendInOrder(TestHost from, Address to, AtomicInteger ends) throws Exception {
    for (int i = 0; i < ORDERED; i++) {
      from.messaging.sendOrdered(new Numbered(i), to);
      if (i % 10 == 0) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
    }
    ends.incrementAndGet();
    return null;
  }

  @Test
  public void senderIsAnsweredInOrderAfterItsLinkWasLeft() throws Exception {
    TestHost one = host();
    TestHost other = host();
    boolean inTurn = one.node().compareTo(other.node()) < 0;
    TestHost small = inTurn ? one : other;
    TestHost large = inTurn ? other : one;
    Queue<Address> senders = new ConcurrentLinkedQueue<>();
    Queue<Integer> answers = new ConcurrentLinkedQueue<>();
    small.messaging.receive(Question.class, (question, from) -> senders.add(from));
    large.messaging.receive(Numbered.class, (message, from) -> answers.add(message.number()));
    large.messaging.send(new Question(1), small.messaging.address());
    Deadline.await("the question", () -> senders.size() == 1);
    Address sender = senders.element();
    small.messaging.sendOrdered(new Numbered(0), large.messaging.address());
    int sent = 1;
    do {
      small.messaging.sendOrdered(new Numbered(sent++), sender);
      TimeUnit.MILLISECONDS.sleep(1);
    } while (small.openLinks() > 1 || large.openLinks() > 1);
    small.messaging.sendOrdered(new Numbered(sent++), sender);
    int all = sent;
    Deadline.await("all answers", () -> answers.size() == all);
    assertThat(answers.stream().filter(number -> number > 0).toList()).isSorted();
    assertThat(large.messaging.counters()).containsEntry("linksOpened", 2L);
  }

  @Test
  public void impostorsLinkIsNotTakenForTheOther() throws Exception {
    TestHost a = host();
    TestHost b = host();
    TestHost impostor = new TestHost(Map.of(), LoopbackTechnology::new, b.node());
    hosts.add(impostor);
    AtomicInteger stolen = new AtomicInteger();
    AtomicInteger received = new AtomicInteger();
    impostor.messaging.receive(Numbered.class, (message, from) -> stolen.incrementAndGet());
    for (TestHost each : List.of(a, b)) {
      each.messaging.receive(Numbered.class, (message, from) -> received.incrementAndGet());
    }
    impostor.messaging.send(new Numbered(0), a.messaging.address());
    a.messaging.send(new Numbered(1), b.messaging.address());
    b.messaging.send(new Numbered(2), a.messaging.address());
    Deadline.await("three messages", () -> received.get() == 3);
    Deadline.await("one link of a and b beside the impostor's", () -> a.openLinks() == 2);
    Deadline.await("one link of b", () -> b.openLinks() == 1);
    sendOnce(a, b, 3);
    Deadline.await("a message more", () -> received.get() + stolen.get() == 4);
    assertThat(stolen.get()).isZero();
  }

  private static void sendOnce(TestHost from, TestHost to, int number) throws RemoteException {
    from.messaging.send(new Numbered(number), to.messaging.address());
  }
}

package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Deadline;
import io.karmi.messaging.frame.Chunk;
import io.karmi.settings.Settings;
import java.io.Serializable;
import java.rmi.RemoteException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.junit.Test;

/** What links hold while they are used, rest, and are closed; and how many a node opens. */
public class LinkMemoryTest {
  /** More than a link holds that sends small messages now and then. */
  private static final int CALM_BYTES = Chunk.SMALL_BYTES + 16 * 512;

  private final TestHost a = new TestHost(Map.of(Settings.MAX_LINKS.name(), "2"));
  private final TestHost[] others = {
    new TestHost(Map.of()), new TestHost(Map.of()), new TestHost(Map.of())
  };
  private final AtomicInteger received = new AtomicInteger();

  @After
  public void close() {
    a.messaging.close();
    for (TestHost other : others) {
      other.messaging.close();
    }
  }

  record Load(byte[] bytes) implements Serializable {}

  record Question() implements Serializable {}

  @Test
  public void linkThatRestsHasNoRingAndNoBuffers() throws Exception {
    others[0].messaging.receive(Load.class, (load, from) -> received.incrementAndGet());
    for (int i = 1; i <= 20; i++) {
      int count = i;
      a.messaging.send(new Load(new byte[100]), others[0].messaging.address());
      Deadline.await("message " + i, () -> received.get() == count);
    }
    Deadline.await("no memory of the sender", () -> a.messaging.heldBytes() == 0);
    Deadline.await("no memory of the receiver", () -> others[0].messaging.heldBytes() == 0);
  }

  @Test
  public void linkGivesBackWhatAFloodHasNeeded() throws Exception {
    others[0].messaging.receive(Load.class, (load, from) -> received.incrementAndGet());
    long most = 0;
    for (int i = 0; i < 2_000; i++) {
      byte[] bytes = new byte[i % 500 == 0 ? 3_000_000 : 3_000];
      a.messaging.send(new Load(bytes), others[0].messaging.address());
      most = Math.max(most, a.messaging.heldBytes());
    }
    assertThat(most).isGreaterThan(2 * CALM_BYTES);
    Deadline.await("all", () -> received.get() == 2_000);
    Deadline.await("no memory of the sender", () -> a.messaging.heldBytes() == 0);
    Deadline.await("no memory of the receiver", () -> others[0].messaging.heldBytes() == 0);
    a.messaging.send(new Load(new byte[100_000]), others[0].messaging.address());
    Deadline.await("one more", () -> received.get() == 2_001);
  }

  @Test
  public void nodeOpensNoMoreLinksThanItMay() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    for (TestHost other : others) {
      other.messaging.receive(Load.class, (load, from) -> received.incrementAndGet());
      other.messaging.answer(
          Question.class,
          (question, from) ->
              CompletableFuture.supplyAsync(
                  () -> {
                    await(answer);
                    return "yes";
                  }));
    }
    CompletableFuture<String> first = a.messaging.request(new Question(), address(0));
    CompletableFuture<String> second = a.messaging.request(new Question(), address(1));
    assertThat(a.messaging.openedLinks()).isEqualTo(2);
    assertThat(a.messaging.trySend(new Load(new byte[0]), address(2))).isFalse();
    ExecutorService sender = Executors.newSingleThreadExecutor();
    try {
      Future<?> sent = sender.submit(() -> send(2));
      assertThat(a.messaging.openedLinks()).isEqualTo(2);
      assertThat(sent.isDone()).as("sent beside two busy links").isFalse();
      answer.countDown();
      sent.get(60, TimeUnit.SECONDS);
    } finally {
      sender.shutdownNow();
    }
    assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo("yes");
    assertThat(second.get(60, TimeUnit.SECONDS)).isEqualTo("yes");
    Deadline.await("the message", () -> received.get() == 1);
    assertThat(a.messaging.openedLinks()).isLessThanOrEqualTo(2);
    assertThat(a.messaging.counters()).containsEntry("linksLost", 0L);
  }

  private Address address(int node) {
    return others[node].messaging.address();
  }

  private Void send(int node) throws RemoteException {
    a.messaging.send(new Load(new byte[10]), address(node));
    return null;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}

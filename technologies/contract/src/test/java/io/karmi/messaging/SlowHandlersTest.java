package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Deadline;
import java.io.Serializable;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.After;
import org.junit.Test;

public class SlowHandlersTest {
  private static final int MESSAGES = 20_000;

  private final TestHost a = new TestHost(Map.of());
  private final TestHost b = new TestHost(Map.of());

  record Numbered(int number) implements Serializable {}

  @After
  public void close() {
    a.messaging.close();
    b.messaging.close();
  }

  @Test
  public void messagesBehindOnesThatTakeLongAreHandledOnceByOtherThreads() throws Exception {
    AtomicIntegerArray seen = new AtomicIntegerArray(MESSAGES);
    CountDownLatch quick = new CountDownLatch(MESSAGES - 4);
    CountDownLatch slow = new CountDownLatch(4);
    b.messaging.receive(
        Numbered.class,
        (message, from) -> {
          seen.incrementAndGet(message.number());
          if (message.number() % 5_000 == 10) {
            awaitAll(quick);
            slow.countDown();
          } else {
            quick.countDown();
          }
        });
    for (int i = 0; i < MESSAGES; i++) {
      a.messaging.send(new Numbered(i), b.messaging.address());
    }
    assertThat(quick.await(60, TimeUnit.SECONDS)).as("left: %s", quick.getCount()).isTrue();
    assertThat(slow.await(60, TimeUnit.SECONDS)).isTrue();
    for (int i = 0; i < MESSAGES; i++) {
      assertThat(seen.get(i)).as("message %d", i).isEqualTo(1);
    }
  }

  @Test
  public void orderedMessagesWaitForOneThatTakesLong() throws Exception {
    AtomicInteger next = new AtomicInteger();
    AtomicInteger wrong = new AtomicInteger();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    CountDownLatch all = new CountDownLatch(100);
    CountDownLatch others = new CountDownLatch(100);
    b.messaging.receive(Integer.class, (message, from) -> others.countDown());
    b.messaging.receive(
        Numbered.class,
        (message, from) -> {
          if (message.number() == 50) {
            begun.countDown();
            awaitAll(goOn);
          }
          if (next.getAndIncrement() != message.number()) {
            wrong.incrementAndGet();
          }
          all.countDown();
        });
    for (int i = 0; i < 100; i++) {
      a.messaging.sendOrdered(new Numbered(i), b.messaging.address());
    }
    assertThat(begun.await(60, TimeUnit.SECONDS)).isTrue();
    for (int i = 0; i < 100; i++) {
      a.messaging.send(i, b.messaging.address());
    }
    assertThat(others.await(60, TimeUnit.SECONDS)).as("left: %s", others.getCount()).isTrue();
    assertThat(next.get()).as("ordered messages that were handled").isEqualTo(50);
    goOn.countDown();
    assertThat(all.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(wrong.get()).isZero();
  }

  @Test
  public void messageArrivesWhileTheHandlerOfALargeOneBeforeItWaitsForIt() throws Exception {
    CountDownLatch small = new CountDownLatch(20);
    AtomicInteger large = new AtomicInteger();
    b.messaging.receive(
        byte[].class,
        (message, from) -> {
          awaitAll(small);
          large.incrementAndGet();
        });
    b.messaging.receive(Numbered.class, (message, from) -> small.countDown());
    a.messaging.send(new byte[60_000], b.messaging.address()); // enough to process for a while
    for (int i = 0; i < 20; i++) {
      long left = small.getCount();
      a.messaging.send(new Numbered(i), b.messaging.address()); // much less than a page
      Deadline.await("message " + i, () -> small.getCount() < left);
    }
    Deadline.await("the large message", () -> large.get() == 1);
  }

  private static void awaitAll(CountDownLatch latch) {
    try {
      latch.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

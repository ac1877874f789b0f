package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Deadline;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.Timeout;

/** What is sent only if there is room. */
public class TrySendTest {
  private static final int WINDOW = 512 * 1024;

  @Rule public final Timeout limit = Timeout.seconds(120);

  private final TestHost a = new TestHost(Map.of());
  private final TestHost b = new TestHost(Map.of());

  @After
  public void close() {
    a.messaging.close();
    b.messaging.close();
  }

  /** Counts how often it is marshalled. */
  static final class Counted implements Serializable {
    private static final long serialVersionUID = 1;
    static final AtomicInteger WRITTEN = new AtomicInteger();

    private void writeObject(ObjectOutputStream out) throws IOException {
      WRITTEN.incrementAndGet();
      out.defaultWriteObject();
    }
  }

  @Test
  public void messageWithoutRoomIsNotMarshalled() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    b.messaging.receive(byte[].class, (message, from) -> go.await());
    b.messaging.receive(Byte.class, (message, from) -> go.await());
    Address to = b.messaging.address();
    while (a.messaging.trySend(new byte[1000], to)) {
      continue;
    }
    while (a.messaging.trySend((byte) 1, to)) {
      continue;
    }
    for (int i = 0; i < 100; i++) {
      assertThat(a.messaging.trySend(new Counted(), to)).isFalse();
    }
    go.countDown();
    assertThat(Counted.WRITTEN).hasValue(0);
  }

  @Test
  public void messageAsLargeAsTheWindowIsSentOnceAllBeforeItIsProcessed() throws Exception {
    AtomicInteger received = new AtomicInteger();
    b.messaging.receive(Integer.class, (message, from) -> received.addAndGet(message));
    b.messaging.receive(byte[].class, (message, from) -> received.addAndGet(message.length));
    Address to = b.messaging.address();
    a.messaging.send(1, to);
    byte[] large = new byte[WINDOW];
    Deadline.await("room", () -> a.messaging.trySend(large, to));
    Deadline.await("room once more", () -> a.messaging.trySend(large, to));
    Deadline.await("all messages", () -> received.get() == 1 + 2 * WINDOW);
  }

  @Test
  public void nobodyWhoMayNotWaitWaitsForAnotherThreadsPlace() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    b.messaging.receive(Integer.class, (message, from) -> go.await());
    TestHost one = new TestHost(Map.of("karmi.internal.messagingMaxLinks", "1"));
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      one.messaging.send(1, b.messaging.address());
      Address to = a.messaging.address();
      CountDownLatch begins = new CountDownLatch(1);
      Future<?> waits =
          threads.submit(
              () -> {
                begins.countDown();
                one.messaging.send(2, to);
                return null;
              });
      begins.await();
      for (int i = 0; i < 20; i++) {
        Future<Boolean> tries = threads.submit(() -> one.messaging.trySend(3, to));
        assertThat(tries.get(20, TimeUnit.SECONDS)).isFalse();
      }
      assertThat(waits.isDone()).isFalse();
      go.countDown();
      waits.get();
    } finally {
      go.countDown();
      threads.shutdown();
      one.messaging.close();
    }
  }

  @Test
  public void theTimeToWaitForAPlaceBeginsWithTheCall() throws Exception {
    LinkTable links = new LinkTable(1);
    Address to = a.messaging.address();
    AtomicLong first = new AtomicLong();
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      Future<Link> opens =
          threads.submit(
              () ->
                  links.get(
                      to,
                      false,
                      true,
                      (address, mayWait, since) -> {
                        entered.countDown();
                        awaitUnchecked(go);
                        first.set(System.nanoTime());
                        return null;
                      }));
      entered.await();
      AtomicLong second = new AtomicLong();
      Thread[] waiting = new Thread[1];
      Future<Link> waits =
          threads.submit(
              () -> {
                waiting[0] = Thread.currentThread();
                return links.get(
                    to,
                    false,
                    true,
                    (address, mayWait, since) -> {
                      second.set(since);
                      return null;
                    });
              });
      Deadline.await(
          "it waits", () -> waiting[0] != null && waiting[0].getState() == Thread.State.WAITING);
      go.countDown();
      opens.get();
      waits.get();
      assertThat(second.get() - first.get()).isNegative();
    } finally {
      go.countDown();
      threads.shutdown();
    }
  }

  private static void awaitUnchecked(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.kit.Deadline;
import io.karmi.settings.Settings;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
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

/** A writeObject method that does not come back, over a link that counts as idle meanwhile. */
public class SlowToWriteTest {
  private final TestHost a =
      new TestHost(
          Map.of(
              Settings.IDLE_TIMEOUT.name(), "100",
              Settings.REQUEST_TIMEOUT.name(), "2000"));
  private final TestHost b = new TestHost(Map.of());
  private final TestHost c = new TestHost(Map.of());
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** Ends with the test: messaging that closes waits for answers that are being made. */
  private final CompletableFuture<Object> silence = new CompletableFuture<>();

  @After
  public void close() {
    SlowToWrite.GO.countDown();
    threads.shutdownNow();
    silence.complete(0);
    a.messaging.close();
    b.messaging.close();
    c.messaging.close();
  }

  record Question() implements Serializable {}

  static final class SlowToWrite implements Serializable {
    private static final long serialVersionUID = 1;
    static final CountDownLatch BEGUN = new CountDownLatch(1);
    static final CountDownLatch GO = new CountDownLatch(1);

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      BEGUN.countDown();
      try {
        GO.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }

  @Test
  public void requestsTimeOutMeanwhileAndTheMessageArrives() throws Exception {
    AtomicInteger received = new AtomicInteger();
    b.messaging.receive(SlowToWrite.class, (message, from) -> received.incrementAndGet());
    c.messaging.answer(Question.class, (question, from) -> silence);
    Future<?> sending =
        threads.submit(
            () -> {
              a.messaging.send(new SlowToWrite(), b.messaging.address());
              return null;
            });
    SlowToWrite.BEGUN.await();
    CompletableFuture<?> answer = a.messaging.request(new Question(), c.messaging.address());
    assertThatThrownBy(() -> answer.get(60, TimeUnit.SECONDS)).hasMessageContaining("2000 ms");
    SlowToWrite.GO.countDown();
    sending.get(60, TimeUnit.SECONDS);
    Deadline.await("the message", () -> received.get() == 1);
  }
}

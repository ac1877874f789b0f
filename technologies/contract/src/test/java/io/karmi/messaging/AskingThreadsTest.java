package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.kit.Deadline;
import io.karmi.technology.Pipe;
import io.karmi.technology.RuntimeThread;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * A thread that asks and waits, again and again, reads its answers itself: nothing else suffers.
 */
public class AskingThreadsTest {
  /** Requests in a row, more than it takes for the thread that waits to read. */
  private static final int MANY = 500;

  private final TestHost a = new TestHost(Map.of());
  private final TestHost b = new TestHost(Map.of());
  private final ExecutorService threads = Executors.newCachedThreadPool();

  /** Ends with the test: messaging that closes waits for answers that are being made. */
  private final CompletableFuture<Object> silence = new CompletableFuture<>();

  record Question(int number) implements Serializable {}

  record Silent() implements Serializable {}

  record News(int number) implements Serializable {}

  @Before
  public void answer() {
    b.messaging.answer(Question.class, (question, from) -> question.number() + 1);
    b.messaging.answer(Silent.class, (question, from) -> silence);
  }

  @After
  public void close() {
    threads.shutdownNow();
    silence.complete(0);
    a.messaging.close();
    b.messaging.close();
  }

  private void ask(int times) throws Exception {
    for (int i = 0; i < times; i++) {
      CompletableFuture<Integer> answer =
          a.messaging.request(new Question(i), b.messaging.address());
      assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo(i + 1);
    }
  }

  private CompletableFuture<Object> askInVain() {
    return a.messaging.request(new Silent(), b.messaging.address());
  }

  @Test
  public void messagesArriveWhenNoThreadAsksAnyMore() throws Exception {
    AtomicInteger news = new AtomicInteger();
    a.messaging.receive(News.class, (message, from) -> news.incrementAndGet());
    for (int round = 1; round <= 20; round++) {
      int expected = round;
      ask(MANY);
      b.messaging.send(new News(round), a.messaging.address());
      Deadline.await("news " + round, () -> news.get() == expected);
    }
  }

  @Test
  public void messagesAmongAnswersAreHandledByOtherThreads() throws Exception {
    AtomicInteger news = new AtomicInteger();
    List<Thread> handlers = new ArrayList<>();
    a.messaging.receive(
        News.class,
        (message, from) -> {
          synchronized (handlers) {
            handlers.add(Thread.currentThread());
          }
          news.incrementAndGet();
        });
    Future<?> other =
        threads.submit(
            () -> {
              for (int i = 0; i < 2 * MANY; i++) {
                b.messaging.send(new News(i), a.messaging.address());
              }
              return null;
            });
    ask(4 * MANY);
    other.get(60, TimeUnit.SECONDS);
    Deadline.await("all news", () -> news.get() == 2 * MANY);
    assertThat(handlers).doesNotContain(Thread.currentThread());
  }

  @Test
  public void handlerThatAsksStillKnowsTheSender() throws Exception {
    CompletableFuture<Boolean> same = new CompletableFuture<>();
    a.messaging.receive(
        News.class,
        (message, from) -> {
          Pipe sender = RuntimeThread.sender();
          ask(MANY);
          same.complete(sender != null && sender == RuntimeThread.sender());
        });
    b.messaging.send(new News(1), a.messaging.address());
    assertThat(same.get(60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  public void answersOfThreadsThatDoNotWaitAreCompleted() throws Exception {
    for (int round = 0; round < 20; round++) {
      ask(MANY / 10);
      CountDownLatch done = new CountDownLatch(3);
      for (int i = 0; i < 3; i++) {
        a.messaging
            .request(new Question(i), b.messaging.address())
            .thenAccept(answer -> done.countDown());
      }
      assertThat(done.await(30, TimeUnit.SECONDS)).as("round %d", round).isTrue();
    }
  }

  @Test
  public void threadsThatTakeTurnsAllGetTheirAnswers() throws Exception {
    List<Future<?>> ends = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ends.add(
          threads.submit(
              () -> {
                ask(MANY);
                return null;
              }));
    }
    for (Future<?> end : ends) {
      end.get(60, TimeUnit.SECONDS);
    }
    ask(MANY);
  }

  @Test
  public void interruptEndsTheWait() throws Exception {
    ask(MANY);
    Thread asking = Thread.currentThread();
    CompletableFuture<Object> answer = askInVain();
    threads.submit(
        () -> {
          Deadline.await("the thread waits", () -> asking.getState() != Thread.State.RUNNABLE);
          asking.interrupt();
          return null;
        });
    assertThatThrownBy(answer::get).isInstanceOf(InterruptedException.class);
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
    ask(MANY);
  }

  @Test
  public void timeOfTheWaitIsKept() throws Exception {
    ask(MANY);
    CompletableFuture<Object> answer = askInVain();
    long start = System.nanoTime();
    assertThatThrownBy(() -> answer.get(100, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(100_000_000L);
    ask(MANY);
  }

  @Test
  public void cancellingEndsTheWaitOfAnotherThread() throws Exception {
    ask(MANY);
    CompletableFuture<Object> answer = askInVain();
    threads.submit(() -> answer.cancel(false));
    assertThatThrownBy(() -> answer.get(60, TimeUnit.SECONDS))
        .isInstanceOf(CancellationException.class);
    ask(MANY);
  }

  @Test
  public void lossEndsTheWait() throws Exception {
    ask(MANY);
    CompletableFuture<Object> answer = askInVain();
    Deadline.await("the question", () -> b.messaging.counters().get("messagesReceived") > MANY);
    threads.submit(b::breakPipes);
    assertThatThrownBy(() -> answer.get(60, TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(java.rmi.RemoteException.class);
    ask(MANY);
  }

  @Test
  public void senderThatWaitsForRoomIsNotHeldUpByAFreeRole() throws Exception {
    AtomicInteger received = new AtomicInteger();
    b.messaging.receive(byte[].class, (message, from) -> received.incrementAndGet());
    for (int round = 1; round <= 10; round++) {
      int expected = 40 * round;
      ask(MANY / 10);
      for (int i = 0; i < 40; i++) {
        a.messaging.send(new byte[60_000], b.messaging.address());
      }
      Deadline.await("40 messages", () -> received.get() == expected);
    }
  }
}

package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.kit.Deadline;
import java.io.Serializable;
import java.rmi.MarshalException;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.After;
import org.junit.Test;

public class MessagingTest {
  private final TestHost a = new TestHost(Map.of());
  private final TestHost b = new TestHost(Map.of());

  @After
  public void close() {
    a.messaging.close();
    b.messaging.close();
  }

  record Numbered(int sender, int number, byte[] load) implements Serializable {}

  record Question(int number) implements Serializable {}

  record Silent(int number) implements Serializable {}

  @Test
  public void messagesOfManySendersArriveOnceEach() throws Exception {
    int senders = 8;
    int each = 20_000;
    AtomicIntegerArray seen = new AtomicIntegerArray(senders * each);
    CountDownLatch all = new CountDownLatch(senders * each);
    b.messaging.receive(
        Numbered.class,
        (message, from) -> {
          seen.incrementAndGet(message.sender() * each + message.number());
          all.countDown();
        });
    inParallel(
        senders,
        sender -> {
          for (int i = 0; i < each; i++) {
            byte[] load = new byte[i % 5000 == 0 ? 300_000 : i % 100];
            a.messaging.send(new Numbered(sender, i, load), b.messaging.address());
          }
        });
    assertThat(all.await(60, TimeUnit.SECONDS)).as("left: %s", all.getCount()).isTrue();
    for (int i = 0; i < seen.length(); i++) {
      assertThat(seen.get(i)).as("message %d", i).isEqualTo(1);
    }
  }

  @Test
  public void orderedMessagesOfEachSenderAreHandledInOrder() throws Exception {
    int senders = 4;
    int each = 5_000;
    int[] next = new int[senders];
    AtomicInteger wrong = new AtomicInteger();
    CountDownLatch all = new CountDownLatch(senders * each);
    b.messaging.receive(
        Numbered.class,
        (message, from) -> {
          if (next[message.sender()]++ != message.number()) {
            wrong.incrementAndGet();
          }
          all.countDown();
        });
    inParallel(
        senders,
        sender -> {
          for (int i = 0; i < each; i++) {
            byte[] load = new byte[i % 1000 == 7 ? 200_000 : 3];
            a.messaging.sendOrdered(new Numbered(sender, i, load), b.messaging.address());
          }
        });
    assertThat(all.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(wrong.get()).isZero();
  }

  @Test
  public void requestsOfManyThreadsGetTheirOwnAnswers() throws Exception {
    b.messaging.answer(Question.class, (question, from) -> question.number() * 2);
    inParallel(
        16,
        sender -> {
          for (int i = 0; i < 1_000; i++) {
            int number = sender * 1_000 + i;
            CompletableFuture<Integer> answer =
                a.messaging.request(new Question(number), b.messaging.address());
            assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo(2 * number);
          }
        });
  }

  @Test
  public void messagesThatWereTakenAreHandledBeforeTheReceiverEnds() throws Exception {
    AtomicInteger handled = new AtomicInteger();
    b.messaging.receive(
        Numbered.class,
        (message, from) -> {
          Thread.sleep(2);
          handled.incrementAndGet();
        });
    int count = 300;
    for (int i = 0; i < count; i++) {
      a.messaging.send(new Numbered(0, i, new byte[100]), b.messaging.address());
    }
    b.drain();
    Deadline.await("all has been taken", b::isDrained);
    assertThat(handled.get()).isEqualTo(count);
  }

  @Test
  public void senderThatAnswersAGoodbyeLeavesClosingToTheReceiver() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    b.messaging.receive(
        Numbered.class,
        (message, from) -> {
          begun.countDown();
          go.await();
        });
    a.messaging.send(new Numbered(0, 0, new byte[100]), b.messaging.address());
    begun.await();
    long before = b.messaging.counters().get("bytesReceived");
    b.drain();
    Deadline.await(
        "the sender's goodbye", () -> b.messaging.counters().get("bytesReceived") > before);
    for (int i = 0; i < 100; i++) {
      assertThat(a.openLinks()).as("the receiver has not handled all").isEqualTo(1);
      LockSupport.parkNanos(1_000_000); // an end that closes does it at once
    }
    go.countDown();
    Deadline.await("the receiver closes", () -> b.isDrained() && a.openLinks() == 0);
    assertThat(a.messaging.counters()).containsEntry("linksLost", 0L);
  }

  @Test
  public void requestsUnderWayAreAnsweredBeforeTheAnswererEnds() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CompletableFuture<Integer> later = new CompletableFuture<>();
    b.messaging.answer(
        Question.class,
        (question, from) -> {
          asked.countDown();
          return later;
        });
    CompletableFuture<Integer> answer = a.messaging.request(new Question(7), b.messaging.address());
    assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
    b.drain();
    CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS).execute(() -> later.complete(14));
    assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo(14);
    Deadline.await("all has been taken", b::isDrained);
  }

  @Test
  public void nodeThatEndsSendsNothingNewButWhatItsHandlersSend() throws Exception {
    CountDownLatch handled = new CountDownLatch(1);
    CountDownLatch ends = new CountDownLatch(1);
    CountDownLatch came = new CountDownLatch(1);
    Address toA = a.messaging.address();
    a.messaging.receive(Silent.class, (message, from) -> came.countDown());
    b.messaging.receive(
        Numbered.class,
        (message, from) -> {
          handled.countDown();
          ends.await();
          b.messaging.send(new Silent(1), toA);
        });
    a.messaging.send(new Numbered(0, 0, new byte[0]), b.messaging.address());
    assertThat(handled.await(30, TimeUnit.SECONDS)).isTrue();
    b.drain();
    assertThat(b.isDrained()).as("a message is being handled").isFalse();
    Deadline.await("a refusal to send", () -> refusesToSend(toA));
    ends.countDown();
    assertThat(came.await(30, TimeUnit.SECONDS)).isTrue();
    Deadline.await("all has been taken", b::isDrained);
  }

  /** What is sent over the link to the other node before it is left still goes. */
  private boolean refusesToSend(Address to) {
    try {
      b.messaging.send("anything", to);
      return false;
    } catch (RemoteException e) {
      assertThat(e).isInstanceOf(java.rmi.ConnectException.class).hasMessageContaining("shutting");
      return true;
    }
  }

  @Test
  public void answererThatThrowsFailsTheRequestWithThat() throws Exception {
    b.messaging.answer(
        Question.class,
        (question, from) -> {
          throw new IllegalStateException("no answer to " + question.number());
        });
    CompletableFuture<Object> answer = a.messaging.request(new Question(7), b.messaging.address());
    assertThatThrownBy(() -> answer.get(30, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no answer to 7");
  }

  @Test
  public void answerMayBeAFutureAndNoThreadWaitsForIt() throws Exception {
    List<CompletableFuture<String>> open = new ArrayList<>();
    b.messaging.answer(
        Question.class,
        (question, from) -> {
          CompletableFuture<String> later = new CompletableFuture<>();
          synchronized (open) {
            open.add(later);
          }
          return later;
        });
    List<CompletableFuture<Object>> answers = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      answers.add(a.messaging.request(new Question(i), b.messaging.address()));
    }
    Deadline.await(
        "all handlers at once",
        () -> {
          synchronized (open) {
            return open.size() == 1_000;
          }
        });
    open.forEach(each -> each.complete("done"));
    for (CompletableFuture<Object> answer : answers) {
      assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("done");
    }
  }

  @Test
  public void requestsFromWithinHandlersAreAnswered() throws Exception {
    b.messaging.answer(
        Question.class,
        (question, from) ->
            question.number() == 0
                ? 0
                : 1
                    + (int)
                        a.messaging
                            .request(new Question(question.number() - 1), b.messaging.address())
                            .get(30, TimeUnit.SECONDS));
    CompletableFuture<Integer> answer =
        a.messaging.request(new Question(40), b.messaging.address());
    assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo(40);
  }

  @Test
  public void requestWithoutAnswererFails() {
    b.messaging.address();
    CompletableFuture<Object> answer = a.messaging.request(new Question(7), b.messaging.address());
    assertThatThrownBy(() -> answer.get(30, TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(NoSuchObjectException.class)
        .hasMessageContaining("Question");
  }

  @Test
  public void requestThatIsNotAnsweredInTimeFails() throws Exception {
    CompletableFuture<Object> late = new CompletableFuture<>();
    TestHost hurried = new TestHost(Map.of("karmi.messaging.requestTimeout", "200"));
    try {
      b.messaging.answer(Silent.class, (question, from) -> late);
      CompletableFuture<Object> answer =
          hurried.messaging.request(new Silent(7), b.messaging.address());
      assertThatThrownBy(() -> answer.get(30, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(RemoteException.class)
          .hasMessageContaining("karmi.messaging.requestTimeout");
    } finally {
      late.complete(0); // else closing waits for it
      hurried.messaging.close();
    }
  }

  @Test
  public void slowReceiverHoldsTheSenderAtItsWindow() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger received = new AtomicInteger();
    b.messaging.receive(
        Numbered.class,
        (message, from) -> {
          go.await(60, TimeUnit.SECONDS);
          received.incrementAndGet();
        });
    int sent = 0;
    while (a.messaging.trySend(new Numbered(0, sent, new byte[1000]), b.messaging.address())) {
      sent++;
      assertThat(sent).isLessThan(100_000);
    }
    assertThat(sent).isBetween(300, 600);
    go.countDown();
    int expected = sent;
    Deadline.await("all messages", () -> received.get() == expected);
    Deadline.await("room for a message", () -> trySend(b.messaging.address()));
  }

  record New(int number) implements Serializable {}

  @Test
  public void classOfAMessageThatFoundNoRoomIsKnownLater() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    Queue<Object> received = new ConcurrentLinkedQueue<>();
    b.messaging.receive(Numbered.class, (message, from) -> go.await(60, TimeUnit.SECONDS));
    b.messaging.receive(New.class, (message, from) -> received.add(message));
    Address to = b.messaging.address();
    int sent = 0;
    while (a.messaging.trySend(new Numbered(0, sent, new byte[1000]), to)) {
      sent++;
    }
    while (a.messaging.trySend(new Numbered(0, sent, new byte[0]), to)) {
      sent++;
    }
    List<Object> expected = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      assertThat(a.messaging.trySend(new New(i), to)).isFalse();
    }
    go.countDown();
    for (int i = 0; i < 20; i++) {
      a.messaging.send(new New(i), to);
      expected.add(new New(i));
    }
    Deadline.await("messages of a new class", () -> received.size() == 20);
    assertThat(received).containsExactlyInAnyOrderElementsOf(expected);
  }

  private boolean trySend(Address to) {
    try {
      return a.messaging.trySend(new Numbered(0, 0, new byte[0]), to);
    } catch (RemoteException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  public void messageHandledForLongByTheReadingThreadIsNotMixedUpWithLaterOnes() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger received = new AtomicInteger();
    b.messaging.receive(
        Silent.class,
        (message, from) -> {
          entered.countDown();
          go.await(60, TimeUnit.SECONDS);
        });
    b.messaging.receive(Numbered.class, (message, from) -> received.incrementAndGet());
    Address to = b.messaging.address();
    a.messaging.send(new Silent(1), to);
    assertThat(entered.await(30, TimeUnit.SECONDS)).isTrue();
    Thread.sleep(1500); // after a second the thread that reads instead handles messages, too
    for (int i = 1; i <= 20; i++) {
      int number = i;
      a.messaging.send(new Numbered(0, i, new byte[60_000]), to);
      Deadline.await("the message", () -> received.get() == number);
    }
    go.countDown();
    for (int i = 21; i <= 60; i++) {
      int number = i;
      a.messaging.send(new Numbered(0, i, new byte[10]), to);
      Deadline.await("the message", () -> received.get() == number);
    }
    assertThat(a.messaging.counters()).containsEntry("linksLost", 0L);
  }

  @Test
  public void messageLargerThanWindowAndRingArrivesWhileSmallOnesPass() throws Exception {
    AtomicLong bytes = new AtomicLong();
    AtomicInteger small = new AtomicInteger();
    AtomicInteger smallBefore = new AtomicInteger(-1);
    b.messaging.receive(
        Numbered.class,
        (message, from) -> {
          if (message.load().length > 1000) {
            smallBefore.set(small.get());
            bytes.set(message.load().length);
          } else {
            small.incrementAndGet();
          }
        });
    Address to = b.messaging.address();
    Thread large =
        new Thread(
            () -> {
              try {
                a.messaging.send(new Numbered(0, 0, new byte[40_000_000]), to);
              } catch (RemoteException e) {
                throw new AssertionError(e);
              }
            });
    large.start();
    while (bytes.get() == 0) {
      a.messaging.send(new Numbered(1, 0, new byte[8]), to);
      assertThat(large.isAlive() || small.get() < 50_000_000).isTrue();
    }
    large.join();
    assertThat(bytes.get()).isEqualTo(40_000_000);
    assertThat(smallBefore.get()).isPositive();
  }

  @Test
  public void messagesAndAnswersArriveThroughTheSmallestWindow() throws Exception {
    Map<String, String> small = Map.of("karmi.messaging.window", "4096");
    TestHost left = new TestHost(small);
    TestHost right = new TestHost(small);
    try {
      right.messaging.answer(byte[].class, (request, from) -> request);
      for (int length : new int[] {2_000, 4_096, 65_500, 300_000}) {
        byte[] load = new byte[length];
        load[length - 1] = 7;
        CompletableFuture<byte[]> answer = left.messaging.request(load, right.messaging.address());
        assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo(load);
      }
    } finally {
      left.messaging.close();
      right.messaging.close();
    }
  }

  @Test
  public void messageThatCannotBeSerializedIsSentToNobody() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    b.messaging.receive(ArrayList.class, (message, from) -> arrived.countDown());
    ArrayList<Object> bad = new ArrayList<>(List.of(new Object()));
    assertThatThrownBy(() -> a.messaging.send(bad, b.messaging.address()))
        .isInstanceOf(MarshalException.class)
        .hasCauseInstanceOf(java.io.NotSerializableException.class);
    a.messaging.send(new ArrayList<>(List.of("good")), b.messaging.address());
    assertThat(arrived.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  public void lostNodeFailsItsRequestsAndIsToldOnce() throws Exception {
    AtomicInteger lost = new AtomicInteger();
    a.messaging.onLost(address -> lost.incrementAndGet());
    b.messaging.answer(Silent.class, (question, from) -> new CompletableFuture<>());
    CompletableFuture<Object> answer = a.messaging.request(new Silent(1), b.messaging.address());
    Deadline.await("the message", () -> b.messaging.counters().get("messagesReceived") == 1);
    b.breakPipes();
    assertThatThrownBy(() -> answer.get(30, TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(RemoteException.class);
    Deadline.await("the lost link", () -> lost.get() == 1);
  }

  @Test
  public void idleLinkIsClosedByBothAndOpenedAgain() throws Exception {
    TestHost hasty = new TestHost(Map.of("karmi.idleTimeout", "50"));
    try {
      AtomicInteger lost = new AtomicInteger();
      hasty.messaging.onLost(address -> lost.incrementAndGet());
      AtomicInteger received = new AtomicInteger();
      b.messaging.receive(Question.class, (question, from) -> received.incrementAndGet());
      for (int i = 1; i <= 5; i++) {
        int number = i;
        hasty.messaging.send(new Question(i), b.messaging.address());
        Deadline.await("the message", () -> received.get() == number);
        Deadline.await("the end of idle links", () -> hasty.openLinks() == 0);
      }
      assertThat(lost.get()).isZero();
    } finally {
      hasty.messaging.close();
    }
  }

  @Test
  public void nodesThatOpenToEachOtherAtOnceLoseNothing() throws Exception {
    for (int round = 0; round < 20; round++) {
      TestHost left = new TestHost(Map.of());
      TestHost right = new TestHost(Map.of());
      CountDownLatch all = new CountDownLatch(20);
      left.messaging.receive(Question.class, (question, from) -> all.countDown());
      right.messaging.receive(Question.class, (question, from) -> all.countDown());
      inParallel(
          2,
          side -> {
            for (int i = 0; i < 10; i++) {
              (side == 0 ? left : right)
                  .messaging.send(new Question(i), (side == 0 ? right : left).messaging.address());
            }
          });
      assertThat(all.await(30, TimeUnit.SECONDS)).isTrue();
      left.messaging.close();
      right.messaging.close();
    }
  }

  @Test
  public void strangerThatKnowsNoObjectIsRefused() throws Exception {
    b.messaging.receive(Question.class, (question, from) -> {});
    Address guessed =
        new Address(
            new io.karmi.id.ObjectId(b.node(), 0, b.messaging.address().object().technology(0)));
    CompletableFuture<Object> answer = a.messaging.request(new Question(1), guessed);
    assertThatThrownBy(() -> answer.get(30, TimeUnit.SECONDS))
        .cause()
        .isInstanceOf(RemoteException.class);
    assertThat(b.messaging.counters().get("messagesReceived")).isZero();
  }

  private interface Work {
    void run(int index) throws Exception;
  }

  private static void inParallel(int count, Work work) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(count);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int index = i;
        ends.add(
            threads.submit(
                () -> {
                  work.run(index);
                  return null;
                }));
      }
      for (Future<?> end : ends) {
        end.get(120, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
  }
}

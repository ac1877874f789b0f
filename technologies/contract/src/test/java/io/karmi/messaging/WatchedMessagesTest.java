package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.interceptor.CallInterceptor;
import io.karmi.interceptor.Message;
import io.karmi.kit.Deadline;
import io.karmi.marshal.UkaFormat;
import io.karmi.reference.Node;
import java.io.NotSerializableException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.After;
import org.junit.Test;

/** Interceptors of messages and requests, on both ends. */
public class WatchedMessagesTest {
  record Order(String text) implements Serializable {}

  record Question(String text) implements Serializable {}

  record Wrong(Object notSerializable) implements Serializable {}

  /** Writes down what it is told, and sends the text along that it has. */
  private static final class Diary implements CallInterceptor {
    final List<String> entries = Collections.synchronizedList(new ArrayList<>());
    final Map<String, String> along;

    Diary(Map<String, String> along) {
      this.along = along;
    }

    @Override
    public Ended sending(Message message, Map<String, String> header) {
      header.putAll(along);
      return written("sends " + name(message));
    }

    @Override
    public Ended received(Message message, Map<String, String> header) {
      return written("got " + name(message) + " " + header);
    }

    private Ended written(String text) {
      entries.add(text);
      return new Ended() {
        @Override
        public void suspended() {
          entries.add(text + " waits");
        }

        @Override
        public void ended(Throwable problem) {
          entries.add(text + (problem == null ? " ends" : " fails: " + problem.getMessage()));
        }
      };
    }

    private static String name(Message message) {
      return (message.isRequest() ? "request " : "") + message.type().getSimpleName();
    }
  }

  private final TestHost a = new TestHost(Map.of());
  private final TestHost b = new TestHost(Map.of());
  private final Diary sender = new Diary(Map.of("trace", "7"));
  private final Diary receiver = new Diary(Map.of());

  @After
  public void close() {
    a.messaging.close();
    b.messaging.close();
  }

  private static void watch(TestHost host, CallInterceptor interceptor) {
    Node node = new Node(List.of(new UkaFormat()));
    node.add(interceptor);
    host.watcher = node;
  }

  private static void awaitEntries(Diary diary, int count) throws InterruptedException {
    Deadline.await(count + " entries, not " + diary.entries, () -> diary.entries.size() >= count);
  }

  @Test
  public void bothEndsAreToldOfMessagesAndOfWhatWasSentAlong() throws Exception {
    watch(a, sender);
    watch(b, receiver);
    b.messaging.receive(
        Order.class,
        (order, from) -> {
          if (order.text().isEmpty()) {
            throw new IllegalStateException("sold out");
          }
        });
    a.messaging.send(new Order("tea"), b.messaging.address());
    awaitEntries(receiver, 2);
    a.messaging.sendOrdered(new Order(""), b.messaging.address());
    awaitEntries(receiver, 4);
    assertThat(sender.entries)
        .containsExactly("sends Order", "sends Order ends", "sends Order", "sends Order ends");
    assertThat(receiver.entries)
        .containsExactly(
            "got Order {trace=7}",
            "got Order {trace=7} ends",
            "got Order {trace=7}",
            "got Order {trace=7} fails: sold out");
  }

  @Test
  public void bothEndsAreToldHowARequestHasEnded() throws Exception {
    watch(a, sender);
    watch(b, receiver);
    CompletableFuture<String> later = new CompletableFuture<>();
    b.messaging.answer(
        Question.class,
        (question, from) -> {
          switch (question.text()) {
            case "now":
              return "answer";
            case "later":
              return later;
            default:
              throw new IllegalStateException("no idea");
          }
        });
    assertThat(a.messaging.request(new Question("now"), b.messaging.address()).get())
        .isEqualTo("answer");
    awaitEntries(sender, 2);
    CompletableFuture<String> late =
        a.messaging.request(new Question("later"), b.messaging.address());
    awaitEntries(receiver, 4);
    assertThat(sender.entries).last().isEqualTo("sends request Question");
    later.complete("at last");
    assertThat(late.get()).isEqualTo("at last");
    awaitEntries(sender, 4);
    CompletableFuture<String> failed =
        a.messaging.request(new Question("?"), b.messaging.address());
    assertThatThrownBy(failed::get).isInstanceOf(ExecutionException.class);
    awaitEntries(sender, 6);
    assertThat(sender.entries)
        .containsExactly(
            "sends request Question",
            "sends request Question ends",
            "sends request Question",
            "sends request Question ends",
            "sends request Question",
            "sends request Question fails: no idea");
    assertThat(receiver.entries)
        .containsExactly(
            "got request Question {trace=7}",
            "got request Question {trace=7} ends",
            "got request Question {trace=7}",
            "got request Question {trace=7} waits",
            "got request Question {trace=7} ends",
            "got request Question {trace=7}",
            "got request Question {trace=7} fails: no idea");
  }

  @Test
  public void messageInPartsHasItsHeader() throws Exception {
    watch(a, sender);
    watch(b, receiver);
    CompletableFuture<String> got = new CompletableFuture<>();
    b.messaging.receive(Order.class, (order, from) -> got.complete(order.text()));
    String text = "x".repeat(1_000_000);
    a.messaging.send(new Order(text), b.messaging.address());
    assertThat(got.get(60, TimeUnit.SECONDS)).isEqualTo(text);
    awaitEntries(receiver, 2);
    assertThat(receiver.entries).first().isEqualTo("got Order {trace=7}");
  }

  @Test
  public void receiverWithoutInterceptorsReadsWhatHasAHeader() throws Exception {
    watch(a, sender);
    b.messaging.answer(Question.class, (question, from) -> question.text());
    assertThat(a.messaging.request(new Question("tea?"), b.messaging.address()).get())
        .isEqualTo("tea?");
  }

  @Test
  public void receiverIsToldOfASenderWithoutInterceptors() throws Exception {
    watch(b, receiver);
    b.messaging.receive(Order.class, (order, from) -> {});
    a.messaging.send(new Order("tea"), b.messaging.address());
    awaitEntries(receiver, 2);
    assertThat(receiver.entries).containsExactly("got Order {}", "got Order {} ends");
  }

  @Test
  public void whatCannotBeSentIsToldOnce() throws Exception {
    watch(a, sender);
    b.messaging.receive(Serializable.class, (message, from) -> {});
    Wrong wrong = new Wrong(new Object());
    assertThatThrownBy(() -> a.messaging.send(wrong, b.messaging.address()))
        .hasRootCauseInstanceOf(NotSerializableException.class);
    assertThatThrownBy(a.messaging.request(wrong, b.messaging.address())::get)
        .hasRootCauseInstanceOf(NotSerializableException.class);
    assertThat(sender.entries).hasSize(4);
    assertThat(sender.entries.get(1)).startsWith("sends Wrong fails: error marshalling");
    assertThat(sender.entries.get(3)).startsWith("sends request Wrong fails: error marshalling");
  }

  @Test
  public void interceptorThatFailsStopsTheMessage() throws Exception {
    watch(
        a,
        new CallInterceptor() {
          @Override
          public Ended sending(Message message, Map<String, String> header) {
            throw new IllegalStateException("not today");
          }
        });
    AtomicInteger got = new AtomicInteger();
    b.messaging.receive(Order.class, (order, from) -> got.incrementAndGet());
    assertThatThrownBy(() -> a.messaging.send(new Order("tea"), b.messaging.address()))
        .hasMessage("not today");
    watch(a, sender);
    a.messaging.sendOrdered(new Order("coffee"), b.messaging.address());
    Deadline.await("the second order", () -> got.get() == 1);
  }

  @Test
  public void headerThatIsTooLargeFailsTheMessageAlone() throws Exception {
    watch(a, new Diary(Map.of("much", "x".repeat(20_000))));
    AtomicInteger got = new AtomicInteger();
    b.messaging.receive(Order.class, (order, from) -> got.incrementAndGet());
    assertThatThrownBy(() -> a.messaging.send(new Order("tea"), b.messaging.address()))
        .hasRootCauseMessage("call header of more than 16384 bytes");
    a.watcher = null;
    a.messaging.send(new Order("coffee"), b.messaging.address());
    Deadline.await("the second order", () -> got.get() == 1);
  }

  @Test
  public void trySendWithoutRoomHasNoEnd() throws Exception {
    watch(a, sender);
    CountDownLatch busy = new CountDownLatch(1);
    b.messaging.receive(Order.class, (order, from) -> busy.await());
    Order large = new Order("x".repeat(100_000));
    int sent = 0;
    while (a.messaging.trySend(large, b.messaging.address())) {
      sent++;
    }
    busy.countDown();
    assertThat(sender.entries).hasSize(2 * sent + 1).last().isEqualTo("sends Order");
  }
}
